import { spawn } from 'node:child_process'
import { connect, createServer, type Socket } from 'node:net'

// The only way out of the namespace in which git runs: connections to this port are forwarded to a socket of the panel, which decides on
// the host they reach. Starts the program that follows on the command line, and exits with it.
const [port = '', way = '', program = '', ...args] = process.argv.slice(2)

const server = createServer({ allowHalfOpen: true }, (inner) =>
  lead(inner, connect({ path: way, allowHalfOpen: true })),
)
server.on('error', (error) => fail(error.message))
server.listen(Number(port), '127.0.0.1', () => {
  const child = spawn(program, args, { stdio: 'inherit' })
  child.on('error', (error) => fail(error.message))
  child.on('exit', (code) => process.exit(code ?? 137))
})

function lead(inner: Socket, outer: Socket): void {
  const end = () => {
    inner.destroy()
    outer.destroy()
  }
  for (const each of [inner, outer]) each.on('error', end)
  inner.on('close', end)
  inner.pipe(outer).pipe(inner)
}

function fail(message: string): void {
  process.stderr.write(`fatal: ${message}\n`)
  process.exit(1)
}
