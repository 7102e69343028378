#!/bin/bash
# opensearch.sh FOLDER: a signed package repository in FOLDER/vendor, with the layout of OpenSearch's vendor and the real OpenSearch as
# a Debian package. It is put together from Maven artifacts, whose server has no modules besides its transport: scripts and changes
# by query are two more. The unit, the user and the paths are those of the vendor's package. Needs mvn, unzip, dpkg-dev, apt-utils, gnupg.
set -euo pipefail
out=$(readlink -m "${1:?FOLDER}")
version=2.19.6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

dependency() {
  printf '<dependency><groupId>org.opensearch.%s</groupId><artifactId>%s</artifactId><version>%s</version>%s</dependency>' \
    "$1" "$2" "$version" "${3:-}"
}
cat >pom.xml <<E2
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>tests</groupId><artifactId>opensearch</artifactId><version>1</version>
  <dependencies>
    $(dependency distribution.integ-test-zip opensearch '<type>zip</type>')
    $(dependency plugin reindex-client)
    $(dependency plugin lang-painless)
  </dependencies>
</project>
E2
mvn --batch-mode --no-transfer-progress --quiet -Dmaven.repo.local="$work/maven" \
  dependency:copy-dependencies -DoutputDirectory=lib -DincludeScope=runtime
home=$work/tree/usr/share/opensearch
mkdir -p tree/DEBIAN tree/usr/share tree/etc/opensearch/jvm.options.d tree/lib/systemd/system
unzip -q "lib/opensearch-$version.zip" -d unpacked
mv "unpacked/opensearch-$version" "$home"

# module NAME CLASS GRANT FILE ...: a part of the server that the artifact leaves out.
module() {
  local folder=$home/modules/$1
  mkdir -p "$folder"
  cat >"$folder/plugin-descriptor.properties" <<E2
description=$1
version=$version
name=$1
classname=$2
java.version=11
opensearch.version=$version
custom.foldername=
extended.plugins=
has.native.controller=false
E2
  printf 'grant { permission %s; };\n' "$3" >"$folder/plugin-security.policy"
  shift 3
  cp "$@" "$folder/"
}
cd lib
module reindex org.opensearch.index.reindex.ReindexPlugin 'java.net.SocketPermission "*", "connect"' reindex-client-*.jar \
  opensearch-ssl-config-*.jar opensearch-rest-client-*.jar http*.jar commons-codec-*.jar commons-logging-*.jar
module lang-painless org.opensearch.painless.PainlessPlugin 'java.lang.RuntimePermission "createClassLoader"' lang-painless-*.jar \
  opensearch-scripting-painless-spi-*.jar antlr4-runtime-*.jar asm*.jar
cd ..
chmod -R a+rX "$home"

cp "$home/config/log4j2.properties" tree/etc/opensearch/
# the artifact's options write below its home, which belongs to root; simpler compilers and collectors start faster
sed '/[Xl]og:gc\|Xloggc\|PrintGC\|GCLog\|^-XX:ErrorFile\|G1\|ConcMark\|CMS\|AlwaysPreTouch/d; s#^-XX:HeapDumpPath=.*#-XX:HeapDumpPath=/var/lib/opensearch#' \
  "$home/config/jvm.options" >tree/etc/opensearch/jvm.options
printf '%s\n' -XX:+UseSerialGC -XX:TieredStopAtLevel=1 >>tree/etc/opensearch/jvm.options
cat >tree/etc/opensearch/opensearch.yml <<'E2'
# ======================== OpenSearch Configuration =========================
#cluster.name: my-application
path.data: /var/lib/opensearch
path.logs: /var/log/opensearch
#network.host: 192.168.0.1
E2
cat >tree/lib/systemd/system/opensearch.service <<'E2'
[Unit]
Description=OpenSearch
After=network.target
[Service]
Type=simple
User=opensearch
RuntimeDirectory=opensearch
PrivateTmp=true
Environment=OPENSEARCH_PATH_CONF=/etc/opensearch JAVA_HOME=/usr/lib/jvm/default-java OPENSEARCH_TMPDIR=/tmp
WorkingDirectory=/usr/share/opensearch
ExecStart=/usr/share/opensearch/bin/opensearch -p /run/opensearch/opensearch.pid --quiet
# that of the vendor tells systemd when it is ready. As root: another account is not let through by the panel's firewall, and its signals
# do not reach the process before that has changed its user
ExecStartPost=+/bin/bash -c 'until (exec 3<>/dev/tcp/127.0.0.1/9200) 2>/dev/null; do kill -0 $MAINPID || exit 1; sleep 0.2; done'
LimitNOFILE=65535
SuccessExitStatus=143
TimeoutStartSec=75
[Install]
WantedBy=multi-user.target
E2
cat >tree/DEBIAN/control <<E2
Package: opensearch
Version: $version
Architecture: amd64
Depends: default-jre-headless
Maintainer: tests <tests@example.invalid>
Description: OpenSearch for tests, from Maven artifacts
E2
printf '/etc/opensearch/%s\n' opensearch.yml jvm.options log4j2.properties >tree/DEBIAN/conffiles
cat >tree/DEBIAN/postinst <<'E2'
#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
id opensearch >/dev/null 2>&1 || useradd --system --home-dir /var/lib/opensearch --shell /usr/sbin/nologin opensearch
install -d -o opensearch -g opensearch /var/lib/opensearch /var/log/opensearch
chown -R opensearch: /etc/opensearch
[ ! -d /run/systemd/system ] || systemctl daemon-reload
E2
cat >tree/DEBIAN/prerm <<'E2'
#!/bin/sh
[ ! -d /run/systemd/system ] || systemctl stop opensearch || true
E2
chmod 755 tree/DEBIAN/postinst tree/DEBIAN/prerm

apt=releases/bundle/opensearch/2.x/apt
mkdir -p "$out/vendor/publickeys" "$out/vendor/$apt/dists/stable/main/binary-amd64" "$work/keys"
dpkg-deb -Zzstd -z1 --root-owner-group --build tree "$out/vendor/$apt/opensearch.deb"
export GNUPGHOME=$work/keys
chmod 700 "$GNUPGHOME"
gpg --batch --quiet --passphrase '' --quick-generate-key 'tests <tests@example.invalid>' ed25519 sign never
gpg --batch --armor --export >"$out/vendor/publickeys/opensearch.pgp"
cd "$out/vendor/$apt"
dpkg-scanpackages --multiversion . 2>/dev/null >dists/stable/main/binary-amd64/Packages
apt-ftparchive -o APT::FTPArchive::Release::Suite=stable -o APT::FTPArchive::Release::Components=main \
  -o APT::FTPArchive::Release::Architectures=amd64 release dists/stable >"$work/Release"
gpg --batch --quiet --clearsign --output dists/stable/InRelease "$work/Release"
gpgconf --kill gpg-agent
