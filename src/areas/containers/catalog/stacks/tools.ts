import type { StackEntry } from '../entry.ts'
import { front, postgres, postgresEnv } from './parts.ts'

const database = (name: string) => ({
  key: 'db',
  name: 'PostgreSQL',
  description: `Database of ${name}`,
  network_alias: 'db',
  env: postgresEnv(name),
  ...postgres,
})

/** Applications for teams with their databases. */
export const tools: readonly StackEntry[] = [
  {
    id: 'gitea',
    name: 'Gitea',
    icon: 'git',
    description: 'Git hosting with PostgreSQL',
    note: 'The first visitor completes the installation.',
    services: [
      database('gitea'),
      {
        key: 'web',
        name: 'Gitea',
        description: 'Web interface, and git over SSH',
        network_alias: 'web',
        image: 'gitea/gitea:1.23.7',
        ports: ['3004:3000', '2223:22'],
        env: [
          'GITEA__database__DB_TYPE=postgres',
          'GITEA__database__HOST=db:5432',
          'GITEA__database__NAME=gitea',
          'GITEA__database__USER=gitea',
          'GITEA__database__PASSWD={{secret:db}}',
          'GITEA__server__SSH_PORT=2223',
        ],
        volumes: ['{{name}}-data:/data'],
        health_check: 'curl -fsS -o /dev/null http://127.0.0.1:3000/',
        memory_mb: 512,
        ...front,
      },
    ],
  },
  {
    id: 'wiki-js',
    name: 'Wiki.js',
    icon: 'book',
    description: 'Wiki with PostgreSQL',
    note: 'The first visitor creates the administrator.',
    services: [
      database('wiki'),
      {
        key: 'web',
        name: 'Wiki.js',
        description: 'The wiki',
        network_alias: 'web',
        image: 'requarks/wiki:2.5.307',
        ports: ['3005:3000'],
        env: [
          'DB_TYPE=postgres',
          'DB_HOST=db',
          'DB_PORT=5432',
          'DB_NAME=wiki',
          'DB_USER=wiki',
          'DB_PASS={{secret:db}}',
        ],
        volumes: ['{{name}}-repo:/wiki/data/repo'],
        health_check: 'nc -z 127.0.0.1 3000',
        memory_mb: 512,
        ...front,
      },
    ],
  },
  {
    id: 'miniflux',
    name: 'Miniflux',
    icon: 'article',
    description: 'Feed reader with PostgreSQL',
    services: [
      database('miniflux'),
      {
        key: 'web',
        name: 'Miniflux',
        description: 'The reader',
        network_alias: 'web',
        image: 'miniflux/miniflux:2.2.8',
        ports: ['8485:8080'],
        env: [
          'DATABASE_URL=postgres://miniflux:{{secret:db}}@db/miniflux?sslmode=disable',
          'RUN_MIGRATIONS=1',
          'CREATE_ADMIN=1',
          'ADMIN_USERNAME=admin',
          'ADMIN_PASSWORD={{secret:admin}}',
        ],
        volumes: [],
        health_check: '/usr/bin/miniflux -healthcheck auto',
        memory_mb: 256,
        ...front,
      },
    ],
  },
]
