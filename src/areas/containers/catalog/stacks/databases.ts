import type { StackEntry } from '../entry.ts'
import { front, mariadb, mariadbEnv, phpmyadmin, postgres, postgresEnv, redis } from './parts.ts'

const replicaOf =
  'printf "requirepass %s\\nmasterauth %s\\nreplicaof primary 6379\\ndir /data\\n" "$REDISCLI_AUTH" "$REDISCLI_AUTH"'

/** Database servers with their interfaces and replicas. */
export const databases: readonly StackEntry[] = [
  {
    id: 'mariadb-phpmyadmin',
    name: 'MariaDB with phpMyAdmin',
    icon: 'database',
    description: 'Database server with its web interface, on this host only',
    services: [
      {
        key: 'db',
        name: 'MariaDB',
        description: 'Database server',
        network_alias: 'db',
        env: mariadbEnv('app'),
        ...mariadb,
        ports: ['127.0.0.1:3309:3306'],
        standalone: true,
      },
      { ...phpmyadmin, ports: ['127.0.0.1:8486:80'], default_off: false },
    ],
  },
  {
    id: 'postgres-pgadmin',
    name: 'PostgreSQL with pgAdmin',
    icon: 'database',
    description: 'Database server with its web interface, on this host only',
    note: 'In pgAdmin, add a server with the host name db and the user app.',
    services: [
      {
        key: 'db',
        name: 'PostgreSQL',
        description: 'Database server',
        network_alias: 'db',
        env: postgresEnv('app'),
        ...postgres,
        ports: ['127.0.0.1:5434:5432'],
        standalone: true,
      },
      {
        key: 'pgadmin',
        name: 'pgAdmin',
        description: 'Web interface',
        network_alias: 'pgadmin',
        image: 'dpage/pgadmin4:9.2',
        ports: ['127.0.0.1:8487:80'],
        env: ['PGADMIN_DEFAULT_EMAIL=admin@example.com', 'PGADMIN_DEFAULT_PASSWORD={{secret:admin}}'],
        volumes: ['{{name}}-pgadmin:/var/lib/pgadmin'],
        health_check: 'wget -q -O /dev/null http://127.0.0.1/misc/ping',
        memory_mb: 512,
        ...front,
      },
    ],
  },
  {
    id: 'redis-replica',
    name: 'Redis with a replica',
    icon: 'database',
    description: 'A primary that writes and a replica that answers reads, on this host only',
    services: [
      {
        key: 'primary',
        name: 'Redis primary',
        description: 'Takes reads and writes',
        network_alias: 'primary',
        env: ['REDISCLI_AUTH={{secret:password}}'],
        ...redis,
        ports: ['127.0.0.1:6382:6379'],
        volumes: ['{{name}}-primary:/data'],
        standalone: true,
      },
      {
        key: 'replica',
        name: 'Redis replica',
        description: 'Takes reads, and has all that the primary has',
        network_alias: 'replica',
        env: ['REDISCLI_AUTH={{secret:password}}'],
        ...redis,
        ports: ['127.0.0.1:6383:6379'],
        volumes: ['{{name}}-replica:/data'],
        command: ['sh', '-c', `${replicaOf} | exec redis-server -`],
        health_check: 'redis-cli info replication | grep -q master_link_status:up',
      },
    ],
  },
]
