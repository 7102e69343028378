import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type FilesBench, openFilesBench } from '../../src/areas/filemanager/testing/files-bench.ts'
import { type ScriptedAccount, scriptAccounts } from '../../src/host/testing/scripted-host.ts'
import type { Script } from '../../src/host/testing/scripted-run.ts'
import {
  type ScratchHaproxy,
  scratchHead,
  startScratchHaproxy,
} from '../../src/tools/haproxy/testing/scratch.ts'
import { serveWithPages } from './lbproxy-panel.ts'
import { freePorts } from '../support/free-ports.ts'

/** A panel with real homes, also for Linux accounts that are created in it, and a HAProxy that really runs. */
export interface StoriesPanel {
  readonly baseUrl: string
  readonly bench: FilesBench
  readonly haproxy: ScratchHaproxy
  /** Returns a path in the home of an account that was created in the panel. */
  homeOf(account: string, path: string): string
  stop(): Promise<void>
}

/** Starts the panel on a loopback port, with the pages of a built panel. */
export async function openStoriesPanel(webFolder: string): Promise<StoriesPanel> {
  const root = mkdtempSync(`${tmpdir()}/stories-`)
  chmodSync(root, 0o755)
  const [port] = (await freePorts(1)) as [number]
  const haproxy = await startScratchHaproxy(
    `${scratchHead}frontend web\n  bind 127.0.0.1:${port}\n  default_backend app\nbackend app\n  server a 127.0.0.1:9\n`,
  )
  const scripts = [newAccounts(root), linked, withoutSignIns]
  const bench = await openFilesBench({ root, hasNginx: true, haproxy: haproxy.options, scripts })
  const web = await serveWithPages(bench.panel, webFolder)
  return {
    baseUrl: web.baseUrl,
    bench,
    haproxy,
    homeOf: (account, path) => `${root}/home/${account}/${path}`,
    stop: async () => {
      await web.close()
      await bench.remove()
      await haproxy.stop()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Links to the logs of a site are created. */
const linked: Script = ([program]) => (program === 'ln' ? { code: 0 } : undefined)

/** Nobody has signed in by SSH, of which the host has no server. */
const withoutSignIns: Script = ([program]) =>
  program === 'journalctl' ? { code: 0 } : program === 'sshd' ? { code: 127 } : undefined

/** Accounts that useradd creates, with their homes below the root of the host's files. */
function newAccounts(root: string): Script {
  const accounts = new Map<string, ScriptedAccount>()
  const answer = scriptAccounts(accounts)
  return (argv, options) => {
    const name = argv.at(-1) ?? ''
    if (name.startsWith('-') || (argv[0] !== 'useradd' && !accounts.has(name))) return undefined
    const outcome = answer(argv, options)
    const account = accounts.get(name)
    if (argv[0] === 'useradd' && account) {
      account.uid = firstUid + accounts.size
      account.home = `${root}/home/${name}`
    }
    return outcome
  }
}

const firstUid = 61_100 // above those of the bench, whose map this script does not know
