import { createHash } from 'node:crypto'
import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import type { Host } from '../../host/index.ts'
import {
  accountName,
  appsPath,
  directory,
  homeDirectory,
  processName,
  programPath,
  serviceName,
  tokenPath,
  unitPath,
} from './layout.ts'
import { ProgramRejected } from './problems.ts'
import { findProgram, type Pm2Program } from './program.ts'

type Placing = Pick<Host, 'accounts' | 'fetch' | 'files' | 'services'>

interface PlaceArgs {
  readonly version: string
  readonly url: string
  readonly sha256: string
  /** True if the address may be an internal one. */
  readonly may_be_internal: boolean
  /** Of the gateway, for the program. */
  readonly token: string
  /** Where the program reaches the partner. */
  readonly api_url: string
}

const mostBytes = 32 * 1024 * 1024

/** The step that downloads the gateway, verifies it, and writes what PM2 and systemd start. Nothing runs yet. */
export function placeProgram(host: Placing): StepKind<PlaceArgs, null, null> {
  const { files, services } = host
  return {
    name: 'pm2.place-program',
    plan: ({ version, url, sha256 }) => ({
      title: `Download the gateway ${version} and write its service`,
      details: [`From ${url}`, `Its SHA-256 must be ${sha256}`, `Below ${directory}, and ${unitPath}`],
    }),
    observe: async () => null,
    act: async (args, { signal, output }) => {
      const program = await findProgram(host)
      if (program === undefined) throw ProgramRejected('PM2 is not installed')
      const account = await host.accounts.find(accountName)
      if (account === undefined) throw ProgramRejected(`There is no account ${accountName}`)
      const { uid, gid } = account
      output(`Download ${args.url}`)
      const content = await download(host, args, signal)
      output(`The program has ${content.length} bytes, and the SHA-256 that the partner stated`)
      await files.makeDirectory(directory, { mode: 0o755 })
      await files.makeDirectory(homeDirectory, { mode: 0o700, uid, gid })
      await files.write(tokenPath, args.token, { rights: { mode: 0o600, uid, gid } })
      await files.write(programPath, content, { rights: { mode: 0o644 } })
      await files.write(appsPath, renderApps(program, args.api_url), { rights: { mode: 0o644 } })
      await files.write(unitPath, renderUnit(program), { rights: { mode: 0o644 } })
      await services.reloadUnits()
      output(`PM2 ${program.version} will run it as ${accountName}`)
      return null
    },
    undo: async () => {
      await files.remove(unitPath)
      await services.reloadUnits()
      await files.removeTree(directory)
    },
    check: async () => ((await files.facts(unitPath)) === undefined ? 'before' : 'wanted'),
  }
}

async function download(
  { fetch }: Pick<Host, 'fetch'>,
  { url, sha256, may_be_internal }: PlaceArgs,
  signal: AbortSignal,
): Promise<Buffer> {
  try {
    const { stream } = await fetch.open({
      url,
      asker: { isAdmin: may_be_internal },
      maxBytes: mostBytes,
      signal,
    })
    const pieces: Buffer[] = await stream.toArray()
    const content = Buffer.concat(pieces)
    const found = createHash('sha256').update(content).digest('hex')
    if (found !== sha256)
      throw ProgramRejected(`The program has the SHA-256 ${found}, and the partner stated ${sha256}`)
    return content
  } catch (error) {
    if (!(error instanceof Problem) || error.kind === ProgramRejected) throw error
    throw ProgramRejected(error.message.replace(/^url: /, ''))
  }
}

/** The token is in a file: PM2 tells everybody who may ask it the environment of a process. */
function renderApps({ node }: Pm2Program, apiUrl: string): string {
  const app = {
    name: processName,
    script: programPath,
    interpreter: node,
    cwd: homeDirectory,
    env: { PARTNER_API_URL: apiUrl, PARTNER_TOKEN_FILE: tokenPath },
    restart_delay: 2000,
  }
  return `${JSON.stringify({ apps: [app] }, null, 2)}\n`
}

/** As `pm2 startup` writes it, with the list of programs instead of a saved one. */
function renderUnit({ node, path }: Pm2Program): string {
  return `# Written by Hostreeve for the gateway of the AI partner.
[Unit]
Description=PM2 for the gateway of the AI partner (${serviceName})
After=network-online.target
Wants=network-online.target

[Service]
Type=forking
User=${accountName}
Environment=HOME=${homeDirectory}
Environment=PM2_HOME=${homeDirectory}/.pm2
PIDFile=${homeDirectory}/.pm2/pm2.pid
WorkingDirectory=${homeDirectory}
ExecStart="${node}" "${path}" start ${appsPath}
ExecStop="${node}" "${path}" kill
Restart=on-failure
NoNewPrivileges=yes
ProtectSystem=full

[Install]
WantedBy=multi-user.target
`
}
