import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureBuilt, findBuilt } from '../harness/built.ts'
import { checkoutPathInHost, type Host } from '../harness/index.ts'
import { must } from '../harness/outer.ts'

const packages = [
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/conformance@0.1.16',
  '@modelcontextprotocol/inspector@2.12.0',
] as const
const folder = '/opt/mcp-clients'
const node = `${checkoutPathInHost}/node_modules/.bin/node`
const limitMs = 300_000

/** Fetches the official clients of MCP from npm, once on a machine: 150 MB. */
export async function fetchMcpClients(): Promise<void> {
  await ensureBuilt('mcp-clients', packages, async (built) => {
    const to = join(built, 'clients')
    await mkdir(to)
    await must(
      ['npm', 'install', '--prefix', to, '--ignore-scripts', '--no-audit', '--no-fund', '--', ...packages],
      { timeoutMs: 600_000, env: { ...process.env, npm_config_update_notifier: 'false' } },
    )
    await must(['chmod', '--recursive', 'a+rX', to])
  })
}

/** Puts the clients on a host, which reaches no registry. */
export async function placeMcpClients(host: Host): Promise<void> {
  const built = join(await findBuilt('mcp-clients', packages), 'clients')
  await must(['cp', '-a', '--reflink=auto', built, join(host.rootPath, folder)], { timeoutMs: limitMs })
  await writeFile(join(host.rootPath, folder, 'client.mjs'), client)
  const expected = Object.values(notServed).flat()
  const list = `server:\n${expected.map((scenario) => `  - ${scenario}\n`).join('')}`
  await writeFile(join(host.rootPath, folder, 'expected.yml'), list)
}

/** Scenarios of the conformance runner that fail, by the reason. It fails as well where one of them passes. */
const notServed = {
  'the contract has no logging': ['logging-set-level', 'tools-call-with-logging'],
  'the contract has no completion': ['completion-complete'],
  'the tools are the 17 of the contract, and not those of the reference server that the runner calls': [
    ...['tools-call-simple-text', 'tools-call-image', 'tools-call-audio', 'tools-call-embedded-resource'],
    ...['tools-call-mixed-content', 'tools-call-error', 'tools-call-with-progress'],
  ],
  'the panel asks nothing of its clients': [
    ...['tools-call-sampling', 'tools-call-elicitation'],
    ...['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
  ],
  'there are no sessions, and GET is 405': ['server-sse-multiple-streams'],
  'the contract has no resources': [
    ...['resources-list', 'resources-read-text', 'resources-read-binary', 'resources-templates-read'],
    ...['resources-subscribe', 'resources-unsubscribe'],
  ],
  'the contract has no prompts': [
    ...['prompts-list', 'prompts-get-simple', 'prompts-get-with-args', 'prompts-get-embedded-resource'],
    'prompts-get-with-image',
  ],
} as const

/** The scenarios that pass. */
export const served = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'] as const

interface Call {
  readonly name: string
  readonly arguments?: object
}

/** Connects by the official SDK, lists the tools and calls some; returns what the client saw. */
export async function useSdk(
  host: Host,
  asked: { readonly url: string; readonly key: string; readonly calls: readonly Call[] },
): Promise<any> {
  const input = JSON.stringify(asked)
  const { stdout } = await host.must([node, `${folder}/client.mjs`], { input, timeoutMs: limitMs })
  return JSON.parse(stdout)
}

/** Runs a method by the command line of the inspector; returns its output. */
export async function useInspector(
  host: Host,
  { url, key, argv }: { readonly url: string; readonly key: string; readonly argv: readonly string[] },
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const program = `${folder}/node_modules/.bin/mcp-inspector`
  const header = `Authorization: Bearer ${key}`
  return host.exec([node, program, '--cli', url, '--transport', 'http', '--header', header, ...argv], {
    timeoutMs: limitMs,
  })
}

/** Runs the conformance runner; returns its exit code and its summary. */
export async function runConformance(host: Host, url: string) {
  const program = `${folder}/node_modules/.bin/conformance`
  const argv = ['server', '--url', url, '--expected-failures', `${folder}/expected.yml`]
  return host.exec([node, program, ...argv], { timeoutMs: limitMs })
}

const client = `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { text } from 'node:stream/consumers'

const { url, key, calls } = JSON.parse(await text(process.stdin))
const client = new Client({ name: 'hostreeve-tests', version: '1.0.0' })
const headers = { authorization: \`Bearer \${key}\` }
const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } })
const seen = { results: [] }
try {
  await client.connect(transport)
  await client.ping()
  Object.assign(seen, { server: client.getServerVersion(), instructions: client.getInstructions() })
  Object.assign(seen, { protocol: transport.protocolVersion, tools: (await client.listTools()).tools })
  for (const call of calls)
    seen.results.push(await client.callTool(call).catch(({ code, message }) => ({ code, message })))
  await client.close()
} catch ({ message }) {
  seen.refused = message
}
process.stdout.write(JSON.stringify(seen))
`
