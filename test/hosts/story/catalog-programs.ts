/** How an image of a program of the host is made. */
interface ProgramImage {
  /** Programs by their names, which are copied to /bin, and files and folders by their paths, which keep them. */
  readonly programs: readonly string[]
  /** A script of the host that completes the root file system, which is `$root`. */
  readonly setup?: string
  /** Lines of a Dockerfile. */
  readonly changes: readonly string[]
}

/** Programs that need nothing but themselves. */
const small: Readonly<Record<string, ProgramImage>> = {
  'nginx:1.27.5-alpine': {
    programs: ['nginx'],
    changes: ['CMD ["nginx","-g","daemon off;"]', 'VOLUME /usr/share/nginx/html'],
  },
  'redis:7.4.3-alpine': {
    programs: ['redis-server', 'redis-cli'],
    changes: ['CMD ["redis-server"]', 'WORKDIR /data', 'VOLUME /data'],
  },
  'memcached:1.6.38-alpine': {
    programs: ['memcached'],
    changes: ['CMD ["memcached"]', 'USER 65534'],
  },
}

/** The data directory is made with the image; a new volume gets a copy of it, with its owner. */
const mariadb: ProgramImage = {
  programs: ['mariadbd', 'mariadb', '/usr/share/mysql'],
  setup: `
echo mysql:x:999:999::/var/lib/mysql:/bin/sh >> $root/etc/passwd
echo mysql:x:999: >> $root/etc/group
mkdir -p $root/var/lib/mysql
mariadb-install-db --no-defaults --user=root --datadir=$root/var/lib/mysql --skip-test-db --skip-name-resolve --force \
  --auth-root-authentication-method=normal --innodb-log-file-size=8M > /dev/null
chown -R 999:999 $root/var/lib/mysql
cat > $root/bin/start-mariadb << 'END'
#!/bin/sh
cat > /tmp/accounts.sql << SQL
CREATE DATABASE IF NOT EXISTS $MARIADB_DATABASE;
CREATE USER IF NOT EXISTS '$MARIADB_USER'@'%' IDENTIFIED BY '$MARIADB_PASSWORD';
GRANT ALL ON $MARIADB_DATABASE.* TO '$MARIADB_USER'@'%';
CREATE USER IF NOT EXISTS 'root'@'%' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
GRANT ALL ON *.* TO 'root'@'%' WITH GRANT OPTION;
ALTER USER 'root'@'localhost' IDENTIFIED BY '$MARIADB_ROOT_PASSWORD';
SQL
exec mariadbd --no-defaults --basedir=/usr --datadir=/var/lib/mysql --socket=/tmp/mysqld.sock --bind-address=0.0.0.0 \
  --skip-name-resolve --init-file=/tmp/accounts.sql --innodb-log-file-size=8M --innodb-buffer-pool-size=32M \
  --innodb-use-native-aio=0 --innodb-flush-method=fsync
END
cat > $root/bin/healthcheck.sh << 'END'
#!/bin/sh
export MYSQL_PWD="$MARIADB_PASSWORD"
exec mariadb --no-defaults --protocol=tcp -h 127.0.0.1 -u "$MARIADB_USER" -e 'select 1' > /dev/null
END
chmod 755 $root/bin/start-mariadb $root/bin/healthcheck.sh
`,
  changes: ['CMD ["start-mariadb"]', 'USER mysql', 'VOLUME /var/lib/mysql'],
}

/** The same; the compiler of queries is left out, as its library is larger than all the rest. */
const postgres: ProgramImage = {
  programs: ['/usr/lib/postgresql', '/usr/share/postgresql'],
  setup: `
grep ^postgres: /etc/passwd >> $root/etc/passwd
grep ^postgres: /etc/group >> $root/etc/group
rm -rf $root/usr/lib/postgresql/*/lib/bitcode $root/usr/lib/postgresql/*/lib/llvmjit*
for each in postgres pg_isready psql; do
  program=$(ls /usr/lib/postgresql/*/bin/$each)
  ln -s $program $root/bin/$each
done
data=$root/var/lib/postgresql/data
install -d -o postgres -g postgres $root/var/lib/postgresql $data
setpriv --reuid=postgres --regid=postgres --clear-groups /usr/lib/postgresql/*/bin/initdb -D $data -U postgres \
  --auth=trust --encoding=UTF8 --locale=C --no-sync > /dev/null
echo 'host all all all scram-sha-256' >> $data/pg_hba.conf
cat >> $data/postgresql.conf << 'END'
listen_addresses = '*'
unix_socket_directories = '/tmp'
shared_buffers = 16MB
timezone = 'GMT'
log_timezone = 'GMT'
END
cat > $root/bin/start-postgres << 'END'
#!/bin/sh
set -e
data=/var/lib/postgresql/data
if [ ! -e $data/.prepared ]; then
  postgres --single -D $data postgres > /dev/null << SQL
CREATE ROLE $POSTGRES_USER SUPERUSER LOGIN PASSWORD '$POSTGRES_PASSWORD'
CREATE DATABASE $POSTGRES_DB OWNER $POSTGRES_USER
SQL
  touch $data/.prepared
fi
exec postgres -D $data
END
chmod 755 $root/bin/start-postgres
`,
  changes: ['CMD ["start-postgres"]', 'USER postgres', 'VOLUME /var/lib/postgresql/data'],
}

/** PHP with its extensions and the time zones without which it does not start. */
const php = ['php8.2', 'curl', '/etc/php/8.2', '/usr/lib/php', '/usr/share/zoneinfo'] as const
const serve = (port: number, folder: string) => [
  'ENV PHP_CLI_SERVER_WORKERS=4',
  `CMD ["sh","-c","trap exit TERM; php8.2 -S 0.0.0.0:${port} -t ${folder} & wait"]`,
]

const adminer: ProgramImage = {
  programs: [...php, '/usr/share/adminer'],
  changes: serve(8080, '/usr/share/adminer/adminer'),
}

/** Nothing of it asks for addresses outside the host, which has no network. */
const wordpress: ProgramImage = {
  programs: php,
  setup: `
mkdir -p $root/var/www
cp -aL /usr/share/wordpress $root/var/www/html || test -e $root/var/www/html/index.php
rm -f $root/var/www/html/wp-config.php
cat > $root/var/www/html/wp-config.php << 'END'
<?php
define('DB_NAME', getenv('WORDPRESS_DB_NAME'));
define('DB_USER', getenv('WORDPRESS_DB_USER'));
define('DB_PASSWORD', getenv('WORDPRESS_DB_PASSWORD'));
define('DB_HOST', getenv('WORDPRESS_DB_HOST'));
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISALLOW_FILE_MODS', true);
$table_prefix = 'wp_';
define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
END
`,
  changes: [...serve(80, '/var/www/html'), 'VOLUME /var/www/html'],
}

const phpmyadmin: ProgramImage = {
  programs: [...php, '/usr/share/phpmyadmin', '/usr/share/php', '/etc/phpmyadmin', '/var/lib/phpmyadmin'],
  setup: `
mkdir -p $root/var/lib/phpmyadmin/tmp
cat > $root/etc/phpmyadmin/config.inc.php << 'END'
<?php
$cfg['blowfish_secret'] = '0123456789abcdef0123456789abcdef';
$cfg['Servers'][1]['host'] = getenv('PMA_HOST');
$cfg['Servers'][1]['auth_type'] = 'cookie';
END
`,
  changes: serve(80, '/usr/share/phpmyadmin'),
}

/** Databases, and web applications that use them. */
const large: Readonly<Record<string, ProgramImage>> = {
  'mariadb:11.4.5': mariadb,
  'postgres:17.4-alpine': postgres,
  'adminer:4.17.1': adminer,
  'wordpress:6.8.0-apache': wordpress,
  'phpmyadmin:5.2.2-apache': phpmyadmin,
}

/** The images of programs of Debian, under the names that the catalog has for them. */
export const programImages = { small, large } as const
