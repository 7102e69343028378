#!/bin/bash
# second-php.sh OUT.deb: PHP 7.4 of Debian 11 as one package that installs beside PHP 8.2 of Debian 12, whose php-common
# breaks the packages of 11. Asks the mirror that apt uses. The package brings the two libraries that Debian 12 has no more.
set -euo pipefail
out=$(readlink -m "${1:?OUT.deb}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir -p apt/lists/partial apt/cache/archives/partial apt/state debs tree/DEBIAN
touch apt/status
mirror=$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' | awk '$1 == "bookworm" { print $2; exit }')
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror bullseye main" >apt/sources.list
cat >apt.conf <<E2
Dir::Etc::sourcelist "$work/apt/sources.list"; Dir::Etc::sourceparts "-";
Dir::State "$work/apt/state"; Dir::State::Lists "$work/apt/lists"; Dir::State::status "$work/apt/status"; Dir::Cache "$work/apt/cache";
Acquire::Languages "none"; Acquire::Check-Valid-Until "0"; APT::Sandbox::User "root";
E2
export APT_CONFIG=$work/apt.conf
apt-get --quiet update
(cd debs && apt-get --quiet download php7.4-{fpm,cli,common,opcache,json,readline,mysql,xml} libicu67 libssl1.1 libffi7)
for deb in debs/*.deb; do dpkg-deb --extract "$deb" tree; done
rm -rf tree/usr/share/doc tree/usr/share/man tree/usr/share/lintian
mkdir -p tree/etc/php/7.4/mods-available
cat >tree/DEBIAN/control <<'E2'
Package: php7.4-fpm
Version: 7.4.33-1+bundle
Architecture: amd64
Maintainer: tests <tests@example.invalid>
Depends: php-common, libargon2-1, libxml2
Description: second PHP for tests, from Debian 11
E2
cat >tree/DEBIAN/postinst <<'E2'
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
for sapi in fpm cli; do
  mkdir -p /etc/php/7.4/$sapi/conf.d
  [ -e /etc/php/7.4/$sapi/php.ini ] || cp /usr/lib/php/7.4/php.ini-production /etc/php/7.4/$sapi/php.ini
  for ini in /usr/share/php7.4-*/*/*.ini; do
    name=$(basename "$ini" .ini)
    cp -n "$ini" /etc/php/7.4/mods-available/ || true
    priority=$(sed -n 's/^; priority=//p' "$ini")
    ln -sf ../../mods-available/$name.ini /etc/php/7.4/$sapi/conf.d/${priority:-20}-$name.ini
  done
done
[ ! -d /run/systemd/system ] || systemctl daemon-reload
E2
printf '#!/bin/sh\n[ ! -d /run/systemd/system ] || systemctl stop php7.4-fpm || true\n' >tree/DEBIAN/prerm
chmod 755 tree/DEBIAN/postinst tree/DEBIAN/prerm
dpkg-deb -Zzstd -z1 --root-owner-group --build tree "$out"
