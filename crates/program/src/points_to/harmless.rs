//! Library functions that neither return, store, keep nor call their arguments.
//!
//! A text, because a list of seven hundred literals would be as many lines.

/// Their names, without `_unlocked` and the decoration of checked versions.
pub(super) const HARMLESS: &str = "
    MD5_Final MD5_Init MD5_Update _Exit __assert __assert_fail __ctype_get_mb_cur_max
    __explicit_bzero __fbufsize __fdelt __flbf __fpending __fpurge __freadable __freading
    __fsetlocking __fwritable __fwriting __fxstat __fxstat64 __gcov_dump __gcov_flush __longjmp
    __lxstat __lxstat64 __overflow __sanitizer_cov_trace_pc __sched_cpucount __sigsetjmp
    __stack_chk_fail __uflow __xstat __xstat64 _exit _longjmp _setjmp abort abs accept access
    acl_free acos acosf acosh adler32 alarm asin asinf asinh atan atan2 atan2f atanf atanh atof
    atoi atol atoll bcmp bind btowc c_strcasecmp c_strncasecmp bzero c32rtomb cbrt ceil ceilf cfgetispeed cfgetospeed chdir
    chmod chown chroot clearenv clearerr clock clock_getres clock_gettime clock_nanosleep
    clock_settime close closedir closelog compress compress2 compressBound confstr connect
    copysign cos cosf cosh crc32 creat deflate deflateBound deflateEnd deflateParams
    deflateReset difftime dirfd div dlclose dprintf drand48 dup dup2 dup3 eaccess endgrent
    endmntent endpwent epoll_create epoll_create1 epoll_wait erand48 erf erfc err error
    error_at_line errx euidaccess eventfd execl execle execlp execv execve execvp execvpe exit
    exp exp2 expf explicit_bzero expm1 fabs faccessat fchdir fchmod fchmodat fchown fchownat
    fclose fcntl fcntl64 fdatasync fdim feof ferror fflush ffs ffsl ffsll fgetc fgetpos
    fgetpos64 fgetwc fileno flock flockfile floor floorf fma fmax fmin fmod fmodf fnmatch fork
    forkpty fpathconf fprintf fputc fputs fputwc fputws fread free freeaddrinfo freecon
    freelocale fscanf fseek fseeko fseeko64 fsetpos fsetpos64 fstat fstat64 fstatat fstatat64
    fstatfs fstatvfs fsync ftell ftello ftello64 ftime ftruncate ftruncate64 ftrylockfile
    funlockfile futimens futimes futimesat fwide fwprintf fwrite fwscanf getaddrinfo_a
    getaddrinfo_cancel getc getchar getcon getdomainname getegid getentropy geteuid getfilecon
    getgid getgrouplist getgroups gethostname getitimer getloadavg getnameinfo getpagesize
    getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid
    getrlimit getrlimit64 getrusage getsid getsockname getsockopt gettid gettimeofday getuid
    getw getwc getwchar getxattr globfree globfree64 grantpt gzbuffer gzclose gzeof gzflush
    gzgetc gzprintf gzputc gzputs gzread gzrewind gzseek gzsetparams gztell gzungetc gzwrite
    htonl htons hypot iconv_close ilogb imaxabs inet_addr inet_aton inet_pton inflate inflateEnd
    inflateReset inflateReset2 initgroups initstate inotify_init ioctl isalnum isalpha isascii
    isatty isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper iswalnum
    iswalpha iswblank iswcntrl iswctype iswdigit iswgraph iswlower iswprint iswpunct iswspace
    iswupper iswxdigit isxdigit jrand48 kill killpg labs lchown ldexp ldiv lgamma lgetfilecon
    lgetxattr link linkat listen listxattr llabs lldiv llrint llround log log10 log1p log2 logf
    longjmp lrand48 lrint lround lseek lseek64 lstat lstat64 lutimes madvise malloc_trim
    malloc_usable_size mallopt mblen mbrlen mbrtoc32 mbrtowc mbsinit mbsrtowcs mbstowcs mbtowc
    memcmp mincore mkdir mkdirat mkdtemp mkfifo mkfifoat mknod mknodat mkostemp mkostemp64
    mkstemp mkstemp64 mkstemps mktemp mktime mlock modf mprotect mrand48 msync munlock munmap
    nanosleep nearbyint nextafter nice nrand48 ntohl ntohs obstack_free open open64 openat
    openat64 openlog pathconf pause pclose perror pipe pipe2 poll posix_fadvise posix_fadvise64
    posix_fallocate posix_fallocate64 posix_openpt pow powf ppoll prctl pread pread64 printf
    printf_size pselect psignal pthread_attr_destroy pthread_attr_init
    pthread_attr_setdetachstate pthread_attr_setstacksize pthread_cancel pthread_cond_broadcast
    pthread_cond_destroy pthread_cond_init pthread_cond_signal pthread_cond_timedwait
    pthread_cond_wait pthread_condattr_init pthread_detach pthread_equal pthread_exit
    pthread_join pthread_key_delete pthread_kill pthread_mutex_destroy pthread_mutex_init
    pthread_mutex_lock pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy
    pthread_mutexattr_init pthread_mutexattr_settype pthread_rwlock_destroy pthread_rwlock_init
    pthread_rwlock_rdlock pthread_rwlock_unlock pthread_rwlock_wrlock pthread_self
    pthread_setcancelstate pthread_setcanceltype pthread_sigmask pthread_spin_lock
    pthread_spin_unlock putc putchar puts pututline pututxline putw putwc putwchar pwrite
    pwrite64 quick_exit raise rand rand_r random re_compile_fastmap re_match re_match_2
    re_search re_search_2 re_set_registers re_set_syntax read readahead readlink readlinkat
    readv recv recvfrom recvmsg regerror regexec regfree remainder remove rename renameat
    renameat2 rewind rewinddir rint rmdir round roundf rpmatch scalbn scanf sched_getaffinity
    sched_setaffinity sched_yield seekdir select sem_destroy sem_init sem_post sem_trywait
    sem_wait send sendfile sendfile64 sendmsg sendto setegid setenv seteuid setexeccon
    setfscreatecon setgid setgrent setgroups sethostname setitimer setjmp setlinebuf setlogmask
    setpgid setpgrp setpriority setpwent setregid setresgid setresuid setreuid setrlimit
    setrlimit64 setsid setsockopt setstate settimeofday setuid setxattr shutdown sigaddset
    sigdelset sigemptyset sigfillset siginterrupt sigismember siglongjmp signbit sigpending
    sigprocmask sigqueue sigsetjmp sigsuspend sigtimedwait sigwait sin sinf sinh sleep snprintf
    socket socketpair sprintf sqrt sqrtf srand srand48 srandom sscanf stat stat64 statfs
    statfs64 statvfs statvfs64 statx strcasecmp strcasecmp_l strcmp strcoll strcoll_l strcspn
    strfmon strftime strlcat strlcpy strlen strncasecmp strncasecmp_l strncmp strnlen strspn
    strverscmp strxfrm swab swprintf symlink symlinkat sync syncfs sysconf sysinfo syslog system
    tan tanh tcdrain tcflow tcflush tcgetattr tcgetpgrp tcsendbreak tcsetattr tcsetpgrp telldir
    tgamma time timegm times toascii tolower toupper towctrans towlower towupper trunc truncate
    truncate64 ttyname_r tzset umask uname uncompress ungetc ungetwc unlink unlinkat unlockpt
    unsetenv usleep utime utimensat utimes utmpxname vdprintf verr verrx vfork vfprintf vfscanf
    vfwprintf vhangup vprintf vscanf vsnprintf vsprintf vsscanf vswprintf vsyslog vwarn vwarnx
    vwprintf wait wait3 wait4 waitid waitpid warn warnx wcrtomb wcscasecmp wcscmp wcscoll
    wcscspn wcsftime wcslen wcsncasecmp wcsncmp wcsnlen wcsspn wcstombs wcswidth wcsxfrm wctob
    wctomb wctrans wctype wcwidth wmemcmp wprintf write writev wscanf
";
