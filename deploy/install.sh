#!/bin/sh
# Installs the panel of this checkout into /opt/hostreeve and starts it as a service of systemd, or says how to start it where
# there is none. Run again to bring an installation up to date; the data in /var/lib/hostreeve stays.
# DESTDIR=... installs below another root and starts nothing.
set -eu

source=$(cd "$(dirname "$0")/.." && pwd)
root=${DESTDIR:-}
target=$root/opt/hostreeve

[ "$(id -u)" = 0 ] || { echo 'install: run this as root' >&2; exit 1; }
command -v npm >/dev/null || { echo 'install: Node 20 or later with npm is needed' >&2; exit 1; }

cd "$source"
node scripts/run.mjs scripts/build.ts

# a new folder is complete before it takes the place of the old one
fresh=$target.new
rm -rf "$fresh"
mkdir -p "$fresh/bin" "$fresh/scripts"
cp -R dist package.json README.md "$fresh/"
cp scripts/start.sh "$fresh/scripts/"
cp bin/hostreeve "$fresh/bin/hostreeve"
cp -L node_modules/.bin/node "$fresh/bin/node"
rm -rf "$fresh/dist/.compile-cache" "$target.old"
chmod -R u=rwX,go=rX "$fresh"
[ ! -e "$target" ] || mv "$target" "$target.old"
mv "$fresh" "$target"
rm -rf "$target.old"

mkdir -p "$root/usr/local/bin" "$root/etc/systemd/system"
cat >"$root/usr/local/bin/hostreeve" <<'END'
#!/bin/sh
export HOSTREEVE_DATA_DIR="${HOSTREEVE_DATA_DIR:-/var/lib/hostreeve}"
exec /opt/hostreeve/bin/hostreeve "$@"
END
chmod 755 "$root/usr/local/bin/hostreeve"
install -m 644 deploy/hostreeve.service "$root/etc/systemd/system/hostreeve.service"

if [ -n "$root" ]; then
  echo "Installed below $root"
elif [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  systemctl enable --quiet hostreeve.service
  # an installation is a reason to try again
  systemctl reset-failed hostreeve.service 2>/dev/null || true
  systemctl restart hostreeve.service
  echo 'The panel is starting. Its address, and the first password after a first installation: journalctl -u hostreeve'
else
  echo 'There is no systemd here. Start the panel with: hostreeve serve'
fi
