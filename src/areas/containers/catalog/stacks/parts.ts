import type { ServiceEntry } from '../entry.ts'

/** Parts of the services that several stacks have: the stack adds key, name, description and environment. */
type Part = Pick<
  ServiceEntry,
  'image' | 'ports' | 'volumes' | 'health_check' | 'memory_mb' | 'standalone' | 'default_off'
>

export const mariadb: Part = {
  image: 'mariadb:11.4.5',
  ports: [],
  volumes: ['{{name}}-db:/var/lib/mysql'],
  health_check: 'healthcheck.sh --connect --innodb_initialized',
  memory_mb: 1024,
  standalone: false,
  default_off: false,
}

export const postgres: Part = {
  image: 'postgres:17.4-alpine',
  ports: [],
  volumes: ['{{name}}-db:/var/lib/postgresql/data'],
  health_check: 'pg_isready -q -h 127.0.0.1',
  memory_mb: 1024,
  standalone: false,
  default_off: false,
}

/** Its password is REDISCLI_AUTH; the configuration comes by standard input, where no list of processes shows it. */
export const redis: Part & Required<Pick<ServiceEntry, 'command'>> = {
  image: 'redis:7.4.3-alpine',
  ports: [],
  volumes: ['{{name}}-cache:/data'],
  command: [
    'sh',
    '-c',
    'printf "requirepass %s\\nappendonly yes\\ndir /data\\n" "$REDISCLI_AUTH" | exec redis-server -',
  ],
  health_check: 'redis-cli ping | grep -q PONG',
  memory_mb: 256,
  standalone: false,
  default_off: false,
}

/** A part that people reach from outside. */
export const front = { standalone: true, default_off: false } as const

/** A part that is launched only where the caller asks for it. */
export const extra = { standalone: true, default_off: true } as const

/** The environment of MariaDB with one database and its user. */
export const mariadbEnv = (name: string): string[] => [
  'MARIADB_ROOT_PASSWORD={{secret:root}}',
  `MARIADB_DATABASE=${name}`,
  `MARIADB_USER=${name}`,
  'MARIADB_PASSWORD={{secret:db}}',
]

/** The environment of PostgreSQL with one database and its user. */
export const postgresEnv = (name: string): string[] => [
  `POSTGRES_DB=${name}`,
  `POSTGRES_USER=${name}`,
  'POSTGRES_PASSWORD={{secret:db}}',
]

/** phpMyAdmin in front of the service `db`, on this host only. */
export const phpmyadmin: ServiceEntry = {
  key: 'phpmyadmin',
  name: 'phpMyAdmin',
  description: 'Web interface for the database',
  network_alias: 'phpmyadmin',
  image: 'phpmyadmin:5.2.2-apache',
  ports: ['127.0.0.1:8481:80'],
  env: ['PMA_HOST=db'],
  volumes: [],
  health_check: 'curl -fsS -o /dev/null http://127.0.0.1/',
  memory_mb: 256,
  ...extra,
}
