import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { checkoutPathInHost, type Host, type Panel } from '../harness/index.ts'
import type { SignedIn } from './signed-in.ts'
import { untilListening } from './until-listening.ts'

const port = 8097
const node = `${checkoutPathInHost}/node_modules/.bin/node`

/** The settings of a panel whose partner runs on its host. */
export const partnerSettings = {
  HOSTREEVE_PARTNER_API_URL: `http://127.0.0.1:${port}/v1`,
  HOSTREEVE_PARTNER_SECRET: 'secret-of-this-build',
}

/** Starts an AI partner on a host, as the service `partner`. */
export async function startPartnerOn(host: Host): Promise<void> {
  const program = `${checkoutPathInHost}/test/hosts/story/partner.main.ts`
  const service = ['systemd-run', '--quiet', '--unit=partner', '--property=Restart=always'] as const
  await host.must([...service, node, program, String(port)])
  await untilListening(host, port)
}

/** Cuts every connection of the partner, and waits until it is there again. */
export async function cutPartner(host: Host): Promise<void> {
  await host.must(['systemctl', 'kill', '--signal=SIGKILL', 'partner'])
  await untilListening(host, port)
}

/** Says each text after the answer to the one before, again while the partner is away, and prints the frames; `!` waits for a notice. */
const client = `
const [url, ...texts] = process.argv.slice(2)
const socket = new WebSocket(url)
let text
const say = () => socket.send(JSON.stringify({ type: 'message', text }))
const next = () => {
  text = texts.shift()
  if (text === undefined) return socket.close(1000)
  if (text !== '!') say()
}
socket.onmessage = ({ data }) => {
  console.log(data)
  const frame = JSON.parse(data)
  if (/cannot be reached/.test(frame.text)) setTimeout(say, 200)
  else if (frame.type !== 'typing') next()
}
socket.onclose = ({ code, reason }) => console.log('closed ' + code + ' ' + reason)
`

/** The command that says texts in a chat, in the name of a user. */
export async function chatCommand(
  host: Host,
  { panel, as }: { readonly panel: Panel; readonly as: SignedIn },
  ...texts: readonly string[]
): Promise<readonly [string, ...string[]]> {
  await writeFile(join(host.rootPath, 'root/chat.mjs'), client)
  const { token } = await as.must('POST', '/api/auth/socket-token', { purpose: 'partner-chat' })
  const url = `ws://127.0.0.1:${panel.environment.HOSTREEVE_PORT}/api/aipartner/chat?token=${token}`
  return [node, '/root/chat.mjs', url, ...texts]
}
