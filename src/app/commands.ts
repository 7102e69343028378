import type { Command } from './commands/command.ts'
import { takeRestored } from '../store/restored.ts'
import { dataFolderOf, readConfig } from './config.ts'
import { activity } from './commands/activity.ts'
import { admin } from './commands/admin.ts'
import { call } from './commands/call.ts'
import { doctor } from './commands/doctor.ts'
import { migrate } from './commands/migrate.ts'
import { applyManifest, exportManifest, planManifest } from './commands/manifest.ts'
import { listRoutes } from './commands/routes.ts'
import { rollback } from './commands/rollback.ts'
import { runServe } from './commands/serve.ts'
import { showConfig } from './commands/config.ts'
import { store } from './commands/store.ts'
import { tryMigrationsOn } from './commands/try-migrations.ts'
import { verify } from './commands/verify.ts'
import { version } from './version.ts'
import { watchUpdate } from './commands/watch-update.ts'

/** Every command by its name. */
export const commands: Readonly<Record<string, Command>> = {
  serve: {
    usage: 'serve                                start the panel',
    options: [],
    maxArguments: 0,
    run: () => {
      takeRestored(dataFolderOf(process.env))
      return runServe(readConfig(process.env))
    },
  },
  admin: {
    usage:
      'admin create EMAIL | reset-password EMAIL | reset-factor EMAIL   make a superuser, set a password (read from standard input, else random), or remove a lost second factor',
    options: [],
    maxArguments: 2,
    run: (given) => admin(given, readConfig(process.env)),
  },
  routes: {
    usage: 'routes [PATH] [--json]               list the endpoints, or those of a path, with their files',
    options: ['json'],
    maxArguments: 1,
    run: listRoutes,
  },
  call: {
    usage: 'call METHOD PATH [--body JSON|@FILE] [--json]   send a request to the running panel',
    options: ['body', 'json'],
    maxArguments: 2,
    run: (given) => call(given, readConfig(process.env)),
  },
  activity: {
    usage:
      'activity export [--output FILE] | checkpoint | key   export the activity log with what proves it, or print a checkpoint or the public key',
    options: ['output'],
    maxArguments: 1,
    run: (given) => activity(given, readConfig(process.env)),
  },
  verify: {
    usage:
      'verify FILE [--key KEY|FILE] [--checkpoint FILE] [--json]   check an export of the activity log, without the panel (1: broken, 2: not an export)',
    options: ['key', 'checkpoint', 'json'],
    maxArguments: 1,
    run: verify,
  },
  plan: {
    usage: 'plan -f FILE [--prune] [--json]      compare a manifest with this host',
    options: ['file', 'prune', 'json'],
    maxArguments: 0,
    run: (given) => planManifest(given, readConfig(process.env)),
  },
  apply: {
    usage: 'apply -f FILE [--prune] [--yes] [--json]   bring this host into the state of a manifest',
    options: ['file', 'prune', 'yes', 'json'],
    maxArguments: 0,
    run: (given) => applyManifest(given, readConfig(process.env)),
  },
  export: {
    usage: 'export [SECTION] [--json]            print the manifest of this host, or one of its sections',
    options: ['json'],
    maxArguments: 1,
    run: (given) => exportManifest(given, readConfig(process.env)),
  },
  doctor: {
    usage: 'doctor [--json]                      say what works on this host and what is missing',
    options: ['json'],
    maxArguments: 0,
    run: (given) => doctor(given, readConfig(process.env)),
  },
  migrate: {
    usage: 'migrate                              bring the store up to date',
    options: [],
    maxArguments: 0,
    run: () => migrate(readConfig(process.env)),
  },
  store: {
    usage:
      'store copy --to URL [--json]         copy the store of a stopped panel to PostgreSQL, or back to SQLite',
    options: ['to', 'json'],
    maxArguments: 1,
    run: (given) => store(given, readConfig(process.env)),
  },
  rollback: {
    usage:
      'rollback                             return to the version before the last update, and restart the panel',
    options: [],
    maxArguments: 0,
    run: () => rollback(readConfig(process.env)),
  },
  'try-migrations': {
    usage: 'try-migrations DIRECTORY             try the migrations of this version on a copy of a store',
    options: [],
    maxArguments: 1,
    run: tryMigrationsOn,
  },
  'watch-update': {
    usage:
      'watch-update DIRECTORY FROM TO PID   undo an update that does not become ready (the panel starts it)',
    options: [],
    maxArguments: 4,
    run: watchUpdate,
  },
  config: {
    usage: 'config [--json]                      print the settings and where they come from',
    options: ['json'],
    maxArguments: 0,
    run: (given) => showConfig(given, readConfig(process.env)),
  },
  version: {
    usage: 'version                              print the version',
    options: [],
    maxArguments: 0,
    run: async () => print(version),
  },
  help: {
    usage: 'help                                 print this',
    options: [],
    maxArguments: 0,
    run: async () => print(usage()),
  },
}

function usage(): string {
  const lines = Object.values(commands).map((command) => `  hostreeve ${command.usage}`)
  return [
    'Hostreeve administers a Linux host and its websites.',
    '',
    ...lines,
    '',
    'With --json the answer is JSON. Exit codes: 0 done, 1 failed, 2 wrong call, 3 the panel does not run.',
  ].join('\n')
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
