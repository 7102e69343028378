import type { Files } from '../../../host/files.ts'
import type { ListenAddress } from '../../listen-addresses.ts'
import type { Visit } from '../../site-client.ts'
import { debianLayout } from '../layout.ts'
import type { ApacheProgram } from '../program.ts'
import { parseGeneration } from '../render-own.ts'
import type { ApacheStarter } from '../tool.ts'

/** A stand-in for Apache: it serves the generation that its file had at the last start or reload. */
export interface StandInApache extends ApacheProgram {
  readonly starter: ApacheStarter
  /** Refuses every configuration from now on with this message; undefined accepts configurations again. */
  refuse(message: string | undefined): void
  /** Listens on these addresses from now on. */
  listens(addresses: readonly ListenAddress[]): void
  /** Decides what a name answers from now on, whichever web server is asked; by default 200. */
  answers(statusOf: (visit: Visit) => string | undefined): void
  readonly reloads: number
}

interface StandInOptions {
  readonly isInstalled?: boolean
  /** Tells if it runs, as its service does. */
  readonly isRunning?: () => boolean
}

/** Opens a stand-in over the files of a temporary root; by default it is installed, and runs. */
export function standInApache(
  files: Pick<Files, 'read'>,
  { isInstalled = true, isRunning = () => true }: StandInOptions = {},
): StandInApache {
  let served: string | undefined
  let refusal: string | undefined
  let reloads = 0
  let addresses: readonly ListenAddress[] = []
  let statusOf: (visit: Visit) => string | undefined = () => '200'
  const load = async () => {
    served = parseGeneration((await files.read(debianLayout.generationPath)) ?? '')
  }
  return {
    version: async () => (isInstalled ? '2.4.62' : undefined),
    check: async () => ({ isAccepted: refusal === undefined, message: refusal ?? '', hosts: '' }),
    addresses: async () => addresses,
    isRunning: async () => isRunning(),
    served: async () => {
      if (!isRunning()) served = undefined
      else if (served === undefined) await load()
      return served
    },
    enableSites: async () => {},
    visit: async (visits) =>
      Object.fromEntries(
        visits.flatMap((visit) => {
          const status = statusOf(visit)
          return status === undefined ? [] : [[`${visit.isTls ? 'https' : 'http'}://${visit.name}/`, status]]
        }),
      ),
    answers: (next) => {
      statusOf = next
    },
    listens: (next) => {
      addresses = next
    },
    refuse: (message) => {
      refusal = message
    },
    get reloads() {
      return reloads
    },
    starter: {
      start: load,
      reload: async () => {
        reloads += 1
        await load()
      },
      isStoppedOnPurpose: async () => !isRunning(),
      isReplaced: async () => !isRunning(),
    },
  }
}
