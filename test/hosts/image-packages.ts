import * as tools from '../../src/tools/index.ts'

type ToolName = keyof typeof tools

// A change of this file selects no suites: the area whose suite needs the packages changes with it.

/** What an image has beside the program itself: the program that it works on, a registry, a root file system to make images of, a firewall. */
export const further: Readonly<Partial<Record<ToolName, readonly string[]>>> = {
  powerdns: tools.mariadb.packages,
  rsyslog: ['default-jre-headless', 'rsyslog-gnutls'],
  mongodb: ['python3'],
  keepalived: tools.mariadb.packages,
  strongswan: tools.nftables.packages,
  // applications of websites: WordPress with a theme, and its server
  phpPools: [...tools.mariadb.packages, 'php', 'wordpress', 'wordpress-theme-twentytwentythree'],
  docker: [
    ...['docker-registry', 'busybox-static', 'redis-server', 'memcached'],
    ...['mariadb-server-core', 'mariadb-client', ...tools.postgresql.packages],
    // web applications, without a database of their own
    ...['php', 'php8.2-cli', 'adminer', 'wordpress', 'phpmyadmin', 'dbconfig-no-thanks'],
  ],
}

/** The packages of these tools are in no repository of Debian: a suite offers its own. */
export const foreign: ReadonlySet<ToolName> = new Set<ToolName>(['mongodb'])
