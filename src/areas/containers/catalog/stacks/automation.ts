import type { StackEntry } from '../entry.ts'
import { front, postgres, postgresEnv } from './parts.ts'

/** Workflows and reports with their databases. */
export const automation: readonly StackEntry[] = [
  {
    id: 'n8n-postgres',
    name: 'n8n with PostgreSQL',
    icon: 'robot',
    description: 'Workflows that connect services, for many runs',
    note: 'Credentials can be read only with the encryption key: keep it.',
    services: [
      {
        key: 'db',
        name: 'PostgreSQL',
        description: 'Database of n8n',
        network_alias: 'db',
        env: postgresEnv('n8n'),
        ...postgres,
      },
      {
        key: 'web',
        name: 'n8n',
        description: 'Editor and runner of workflows',
        network_alias: 'web',
        image: 'n8nio/n8n:1.88.0',
        ports: ['5679:5678'],
        env: [
          'DB_TYPE=postgresdb',
          'DB_POSTGRESDB_HOST=db',
          'DB_POSTGRESDB_DATABASE=n8n',
          'DB_POSTGRESDB_USER=n8n',
          'DB_POSTGRESDB_PASSWORD={{secret:db}}',
          'N8N_ENCRYPTION_KEY={{secret:encryption}}',
          'N8N_DIAGNOSTICS_ENABLED=false',
        ],
        volumes: ['{{name}}-home:/home/node/.n8n'],
        health_check: 'wget -q -O /dev/null http://127.0.0.1:5678/healthz',
        memory_mb: 1024,
        ...front,
      },
    ],
  },
  {
    id: 'metabase',
    name: 'Metabase',
    icon: 'chart',
    description: 'Questions and reports over databases, with PostgreSQL',
    note: 'The first visitor creates the administrator.',
    services: [
      {
        key: 'db',
        name: 'PostgreSQL',
        description: 'Database of Metabase',
        network_alias: 'db',
        env: postgresEnv('metabase'),
        ...postgres,
      },
      {
        key: 'web',
        name: 'Metabase',
        description: 'Web interface',
        network_alias: 'web',
        image: 'metabase/metabase:v0.54.3',
        ports: ['3008:3000'],
        env: [
          'MB_DB_TYPE=postgres',
          'MB_DB_HOST=db',
          'MB_DB_PORT=5432',
          'MB_DB_DBNAME=metabase',
          'MB_DB_USER=metabase',
          'MB_DB_PASS={{secret:db}}',
        ],
        volumes: [],
        health_check: 'curl -fsS -o /dev/null http://127.0.0.1:3000/api/health',
        memory_mb: 2048,
        ...front,
      },
    ],
  },
]
