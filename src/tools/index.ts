import type { AnyStepKind } from '../core/change.ts'
import type { Host } from '../host/index.ts'
import { detectConfinement, detectOneOf } from '../host/owner/index.ts'
import { createAccount } from './accounts/create-account.ts'
import { type Haproxy, type HaproxyOptions, openHaproxy } from './haproxy/index.ts'
import { openNginx, type Nginx, type NginxOptions } from './nginx/index.ts'
import { type Program, programOf } from './program.ts'

/** The programs that the panel manages, and all kinds of steps by which it changes the host. */
export interface Tools {
  readonly nginx: Nginx
  readonly haproxy: Haproxy
  readonly accounts: { readonly create: ReturnType<typeof createAccount> }
  readonly programs: readonly Program[]
  /** Makes files and running programs consistent again after the panel was killed during a change. */
  reconcile(): Promise<void>
  /** All step kinds, for resuming stored changes by kind name. */
  readonly steps: readonly AnyStepKind[]
}

/** Opens the tools on a host. */
export function openTools(
  host: Host,
  options: { readonly nginx?: NginxOptions; readonly haproxy?: HaproxyOptions } = {},
): Tools {
  const nginx = openNginx(host, options.nginx)
  const haproxy = openHaproxy(host, options.haproxy)
  const accounts = { create: createAccount(host) }
  const ofNginx = [nginx.writeSites, nginx.makeLogDirectories, nginx.archiveLogs]
  return {
    nginx,
    haproxy,
    accounts,
    programs: [
      programOf(host, { name: 'nginx', packages: ['nginx'], detect: nginx.detect, setUp: nginx.setUp }),
      programOf(host, {
        name: 'haproxy',
        packages: ['haproxy'],
        detect: haproxy.detect,
        setUp: async () => {},
      }),
      ...programsWithoutFolder(host),
    ],
    reconcile: async () => {
      if (process.getuid?.() === 0) await haproxy.reconcile()
      if (process.getuid?.() === 0 && (await nginx.detect()).present && (await nginx.isSetUp()))
        await nginx.reconcile()
    },
    steps: [...Object.values(haproxy.steps), ...ofNginx, accounts.create],
  }
}

/** Programs that the helper in a home runs: the panel only installs them. */
function programsWithoutFolder(host: Host): readonly Program[] {
  const withoutSetUp = { setUp: async () => {} }
  const optional = (name: string, paths: readonly string[], message: string) =>
    programOf(host, {
      ...withoutSetUp,
      name,
      packages: [name],
      isOptional: true,
      detect: async () => detectOneOf(paths, message),
    })
  return [
    programOf(host, {
      ...withoutSetUp,
      name: 'bubblewrap',
      packages: ['bubblewrap'],
      detect: async () => detectConfinement(),
    }),
    optional('xz-utils', ['/usr/bin/xz'], 'tar.xz archives need it'),
    optional('7zip', ['/usr/bin/7zz', '/usr/bin/7z'], '7z archives need it'),
  ]
}
