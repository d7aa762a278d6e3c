# Debian source packages, fetched and built; sourced by the scripts beside it.
# Everything lives below target/real; the machine's own apt configuration is only read.

real=$PWD/target/real

# Sets up a private apt that knows the source packages of the Debian release in use.
private_apt() {
    [ -z "${apt_ready:-}" ] || return 0
    mkdir -p "$real"/apt/{lists/partial,cache/archives/partial,sources.d}
    awk 'BEGIN { RS = ""; ORS = "\n\n" } /debian-archive-keyring|\/debian/ { gsub(/Types:[^\n]*/, "Types: deb-src"); print }' \
        /etc/apt/sources.list.d/*.sources > "$real/apt/sources.d/debian.sources" 2> /dev/null || true
    cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2> /dev/null \
        | sed -n 's/^deb \(.*debian.*\)/deb-src \1/p' > "$real/apt/sources.d/debian.list" || true
    apt_options=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$real/apt/sources.d"
        -o "Dir::State::lists=$real/apt/lists" -o "Dir::Cache=$real/apt/cache"
        -o APT::Get::List-Cleanup=0 -o APT::Sandbox::User=root)
    [ -n "$(ls "$real"/apt/lists/*Sources* 2> /dev/null)" ] || apt-get "${apt_options[@]}" update
    apt_ready=yes
}

# Fetches and unpacks the source of a package, once; its tree is then $real/src/PACKAGE.
fetch() {
    local package=$1
    [ ! -d "$real/src/$package" ] || return 0
    private_apt
    mkdir -p "$real/src/.$package"
    # The newest version that the mirror really has: it may list security updates it does not hold.
    local version
    for version in $(apt-cache "${apt_options[@]}" showsrc --only-source "$package" | sed -n 's/^Version: //p' | sort -rVu); do
        (cd "$real/src/.$package" && apt-get "${apt_options[@]}" source "$package=$version" > /dev/null 2>&1) && break
    done
    mv "$real/src/.$package"/*/ "$real/src/$package"
    rm -rf "$real/src/.$package"
    # Debian's patches make the generated build files look out of date.
    local generated
    for generated in aclocal.m4 configure config.h.in Makefile.in; do
        find "$real/src/$package" -name "$generated" -exec touch {} +
        sleep 0.01
    done
}

# A fresh copy of a package's tree at $2.
fresh_tree() {
    rm -rf "$2"
    mkdir -p "$(dirname "$2")"
    cp -a "$real/src/$1" "$2"
}
