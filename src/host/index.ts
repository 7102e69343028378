import { KeyedMutex } from '../core/keyed-mutex.ts'
import type { Log } from '../core/endpoint.ts'
import { openAccounts, type Accounts } from './accounts.ts'
import { type ApplyEdit, openApplyEdit } from './apply/edited.ts'
import { openApply, type Apply, type Reconcile } from './apply/index.ts'
import { connect, type Connect } from './connect/index.ts'
import {
  type Addresses,
  type AddressOptions,
  type Dial,
  type Fetch,
  type FetchOptions,
  openAddresses,
  openDial,
  openFetch,
} from './fetch/index.ts'
import { type Detached, openDetached } from './detached/index.ts'
import { openFiles, type Files } from './files.ts'
import { type Follow, openFollow } from './follow.ts'
import { type Mail, openMail } from './mail/index.ts'
import { openMachine, type Machine } from './machine.ts'
import { openOwners, type Owners, type OwnersOptions } from './owner/index.ts'
import { type HostObserver, openObserved } from './observed.ts'
import { openPackages, type Packages } from './packages.ts'
import { openReleases, type Releases } from './releases/index.ts'
import { run as runHere, type Run } from './run.ts'
import { openServices, type Services } from './services.ts'
import { openStepPrograms, type StepPrograms } from './step-programs.ts'
import { openTerminals, type Terminals, type TerminalsOptions } from './terminal/index.ts'

/** The only access to the machine. */
export interface Host {
  readonly run: Run
  /** Reads the lines of a command while it runs. */
  readonly follow: Follow
  readonly files: Files
  readonly apply: Apply
  readonly reconcile: Reconcile
  readonly applyEdit: ApplyEdit
  readonly services: Services
  readonly packages: Packages
  readonly accounts: Accounts
  /** Has an observer told of each change of a file, a service or an account. */
  observe(observer: HostObserver): void
  readonly machine: Machine
  readonly owners: Owners
  /** The addresses that callers may have the panel connect to. */
  readonly addresses: Addresses
  /** Connections to programs of this host that are driven through an API or SQL. */
  readonly connect: Connect
  /** Downloads from those addresses. */
  readonly fetch: Fetch
  /** WebSockets of other servers, at those addresses. */
  readonly dial: Dial
  /** E-mail through an SMTP server. */
  readonly mail: Mail
  /** Programs of steps that outlived a killed panel. */
  readonly stepPrograms: StepPrograms
  /** Programs that run at a deadline without the panel. */
  readonly detached: Detached
  /** The versions of the panel on this host. */
  readonly releases: Releases
  /** Login shells on pseudo-terminals. */
  readonly terminals: Terminals
  /** Ends every process and connection of the host. */
  close(): Promise<void>
}

export interface HostOptions {
  /** The root of the host's files: `/`, or a temporary directory in tests. */
  readonly root?: string
  readonly run?: Run
  readonly log?: Log
  readonly addresses?: AddressOptions
  readonly fetch?: FetchOptions
  readonly owners?: OwnersOptions
  readonly terminals?: TerminalsOptions
  /** The directory of the clocks of detached programs. */
  readonly clocks?: string
}

/** Opens the host. Nothing is run or written before one of its methods is called. */
export function openHost(options: HostOptions = {}): Host {
  const { root = '/', run = runHere } = options
  const files = openFiles(root)
  const toolLocks = new KeyedMutex<string>()
  const addresses = openAddresses(options.addresses)
  const owners = openOwners({
    log: (event) => options.log?.warn(event, 'a program that works on files of a hosting user was ended'),
    ...options.owners,
  })
  const stepPrograms = openStepPrograms()
  const terminals = openTerminals(options.terminals)
  return {
    run,
    follow: openFollow(run),
    ...openObserved({
      files,
      ...openApply(files, toolLocks),
      ...openApplyEdit(files, toolLocks),
      services: openServices(run, files),
      packages: openPackages(run),
      accounts: openAccounts(run, files),
    }),
    machine: openMachine(files),
    owners,
    addresses,
    connect,
    fetch: openFetch(addresses, options.fetch),
    dial: openDial(addresses),
    mail: openMail(),
    stepPrograms,
    detached: openDetached({ directory: options.clocks, run, programs: stepPrograms }),
    releases: openReleases(),
    terminals,
    close: async () => void (await Promise.all([owners.close(), terminals.close()])),
  }
}
