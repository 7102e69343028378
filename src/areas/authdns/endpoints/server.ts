import { at, local } from '../../../core/endpoint.ts'
import { awaited, data, succeeded } from '../../../core/reply.ts'
import { connectProblems } from '../../../host/connect/index.ts'
import { DiskFull } from '../../../host/files.ts'
import { InstallFailed } from '../../../host/packages.ts'
import { ServiceFailed } from '../../../host/services.ts'
import { DatabaseExists } from '../../../tools/mariadb/index.ts'
import { NotServing } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import { draftInstallation, installing } from '../install.ts'
import { AuthdnsConfig, AuthdnsConfigDraft, AuthdnsStats, AuthdnsStatus } from '../model.ts'
import { AlreadyInstalled, ConfigInvalid, NotSetUp, SqlRequired } from '../problems.ts'
import * as server from '../server.ts'

const { NotAnswering, SqlRefused } = connectProblems
const category = local('each host has a DNS server of its own')

export const installAuthdns = endpoint({
  method: 'POST',
  path: '/install',
  summary: 'Install PowerDNS with its zones in MariaDB, and start it',
  description:
    'Installs the packages, creates the database, its tables and its account, writes the configuration with a random key of the API, enables and starts the service, and waits until it answers. An installation that fails leaves none of it.',
  effect: 'changes',
  category,
  reply: awaited(installing, { status: 200, shape: 'data' }),
  throws: {
    sql_required: SqlRequired,
    already_installed: AlreadyInstalled,
    install_failed: at(500, InstallFailed),
    db_create_failed: at(500, DatabaseExists, SqlRefused, NotAnswering),
    config_failed: at(500, NotServing, ServiceFailed, DiskFull),
  },
  run: () => draftInstallation(),
})

export const readAuthdnsStatus = endpoint({
  method: 'GET',
  path: '/status',
  summary: 'Read whether PowerDNS is installed, runs and answers',
  effect: 'reads',
  reply: data(AuthdnsStatus),
  run: ({ authdns }) => server.readStatus(authdns),
})

export const readAuthdnsStats = endpoint({
  method: 'GET',
  path: '/stats',
  summary: 'Read the counters of PowerDNS since its start',
  effect: 'reads',
  reply: data(AuthdnsStats),
  throws: ofBackend,
  run: ({ authdns }) => server.readStats(authdns),
})

export const readAuthdnsConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Read how the panel reaches PowerDNS',
  effect: 'reads',
  reply: data(AuthdnsConfig),
  run: ({ authdns }) => server.readConfig(authdns),
})

export const setAuthdnsConfig = endpoint({
  method: 'POST',
  path: '/config',
  summary: 'Set the port and the key of the API of PowerDNS, and restart it',
  description:
    'The values are those of the configuration of PowerDNS itself; empty ones, and a masked key, stay as they are.',
  effect: 'changes',
  category,
  body: AuthdnsConfigDraft,
  reply: succeeded,
  throws: {
    bad_request: [ConfigInvalid, NotSetUp],
    config_failed: at(500, NotServing, ServiceFailed, DiskFull),
  },
  timeoutMs: 300_000,
  run: ({ authdns, body }) => server.setConfig(authdns, body),
})
