import { createServer, connect } from 'node:net'
import type { Socket } from 'node:net'

// Run as a program inside a host's network namespace. Each connection to its unix socket, which has no network namespace, opens
// with a line "PORT ADDRESS"; the relay connects there, answers "ok" or the reason, and passes bytes both ways.
const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: relay.ts SOCKET')

const server = createServer({ allowHalfOpen: true }, (inward) => {
  inward.on('error', () => {}) // the test hung up: 'close' ends the other side
  inward.once('data', (line) => join(inward, line.toString('utf8').trim()))
})
server.listen(path, () => process.stdout.write('listening\n'))
process.stdin.on('end', () => process.exit(0)).resume() // the test process is gone

function join(inward: Socket, target: string): void {
  const [port, address] = target.split(' ')
  const outward = connect({
    port: Number(port),
    host: address ?? '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  })
  const refuse = (error: Error) => inward.end(`${error.message}\n`)
  outward.once('error', refuse)
  outward.once('connect', () => {
    outward.off('error', refuse).on('error', () => {}) // from here on all bytes are the host's own: 'close' ends the other side
    inward.write('ok\n')
    inward.pipe(outward).pipe(inward)
  })
  inward.once('close', () => outward.destroy())
  outward.once('close', (hadError) =>
    hadError && inward.readyState !== 'opening' ? inward.destroySoon() : undefined,
  )
}
