#!/bin/sh
# Installs the panel of this checkout into /opt/hostreeve and starts it as a service of systemd, or says how to start it where
# there is none. Run again to bring an installation up to date; the data in /var/lib/hostreeve stays.
# DESTDIR=... installs below another root and starts nothing.
set -eu
PATH=$PATH:/usr/sbin:/sbin # which `su` does not add

source=$(cd "$(dirname "$0")/.." && pwd)
root=${DESTDIR:-}
target=$root/opt/hostreeve

[ "$(id -u)" = 0 ] || { echo 'install: run this as root' >&2; exit 1; }
# a fresh Debian has neither npm nor the library that the panel's Node needs
missing=''
command -v npm >/dev/null || missing=npm
ldconfig -p | grep -q 'libatomic\.so\.1 ' || missing="$missing libatomic1"
if [ -n "$missing" ]; then
  command -v apt-get >/dev/null || { echo "install: missing on this host: $missing" >&2; exit 1; }
  apt-get update -qq
  # shellcheck disable=SC2086 # names of packages
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes --no-install-recommends $missing
fi

cd "$source"
set -- node scripts/run.mjs scripts/build.ts
# Debian 12 has Node 18, which cannot fetch the panel's own; a script of the package fetches the one in between
[ "$(node --print 'Number.parseInt(process.versions.node)')" -ge 20 ] ||
  set -- env npm_config_ignore_scripts=false npx --yes --package=node@22 "$@"
"$@"

# a version is complete before it gets its name, and the link `current` is switched by a rename
version=$(sed -n 's/^  "version": "\([0-9.]*\)",$/\1/p' package.json)
[ -n "$version" ] || { echo 'install: package.json has no version' >&2; exit 1; }
fresh=$target/versions/.new-$version
rm -rf "$fresh"
mkdir -p "$fresh"
sh deploy/stage.sh "$source" "$fresh"
rm -rf "$target/versions/.old-$version"
[ ! -e "$target/versions/$version" ] || mv "$target/versions/$version" "$target/versions/.old-$version"
mv "$fresh" "$target/versions/$version"
ln -s "versions/$version" "$target/.current-new"
mv -T "$target/.current-new" "$target/current"
rm -rf "$target/versions/.old-$version"
# what an installation without versions left here
rm -rf "$target/bin" "$target/dist" "$target/scripts" "$target/package.json" "$target/README.md"

mkdir -p "$root/usr/local/bin" "$root/etc/systemd/system"
cat >"$root/usr/local/bin/hostreeve" <<'END'
#!/bin/sh
export HOSTREEVE_DATA_DIR="${HOSTREEVE_DATA_DIR:-/var/lib/hostreeve}"
# the store of the service is that of the commands, unless they are for another panel
if [ "${HOSTREEVE_DATA_DIR%/}" = /var/lib/hostreeve ] && [ -z "${HOSTREEVE_DATABASE_URL+set}" ] && [ -r /etc/hostreeve.env ]; then
  url=$(sed -n 's/^HOSTREEVE_DATABASE_URL=//p' /etc/hostreeve.env | tail -n 1 | sed "s/^\\(['\"]\\)\\(.*\\)\\1\$/\\2/")
  [ -z "$url" ] || export HOSTREEVE_DATABASE_URL="$url"
fi
exec /opt/hostreeve/current/bin/hostreeve "$@"
END
chmod 755 "$root/usr/local/bin/hostreeve"
install -m 644 deploy/hostreeve.service deploy/hostreeve-proc.service "$root/etc/systemd/system/"
install -D -m 644 deploy/logind-proc.conf "$root/etc/systemd/system/systemd-logind.service.d/hostreeve-proc.conf"

if [ -n "$root" ]; then
  echo "Installed below $root"
elif [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl try-restart systemd-logind.service
  # a container may forbid it; the panel works all the same
  systemctl enable --quiet --now hostreeve-proc.service || echo 'install: users can see the processes of others' >&2
  systemctl enable --quiet hostreeve.service
  # an installation is a reason to try again
  systemctl reset-failed hostreeve.service 2>/dev/null || true
  systemctl restart hostreeve.service
  echo 'The panel is starting. Its address: journalctl -u hostreeve'
  echo 'After a first installation, its first e-mail address and password: /var/lib/hostreeve/first-password'
else
  echo 'There is no systemd here. Start the panel with: hostreeve serve'
fi
