import { finished } from 'node:stream/promises'
import type { Caller } from '../../core/caller.ts'
import { Busy, Forbidden } from '../../core/problem.ts'
import type { Socket } from '../../core/reply.ts'
import { drained } from '../../host/drained.ts'
import type { ContainerTerminal, shapes } from '../../tools/docker/index.ts'
import { type FromTerminal, readMessage } from '../terminal/index.ts'
import { loadContainer } from './containers.ts'
import type { Containers } from './context.ts'
import { ContainerStopped } from './problems.ts'

const mostOpen = 50
let open = 0

/** Finds the container of a terminal; throws unless the caller is a superuser and the container runs. */
export async function wantedContainer(
  on: Containers,
  id: string,
  { user }: Caller,
): Promise<shapes.Inspected> {
  if (!user.isAdmin) throw Forbidden('Only an administrator can open a terminal in a container')
  const found = await loadContainer(on, id)
  if (found.State.Status !== 'running')
    throw ContainerStopped(`id: the container ${id} does not run: start it first`)
  if (open >= mostOpen) throw Busy(`${mostOpen} terminals are open in containers: close one first`)
  return found
}

/** Returns the function that runs a program in a container on a socket, until either of them ends. */
export function showTerminal(
  { docker }: Containers,
  { Id }: shapes.Inspected,
  command: string,
): (socket: Socket) => Promise<void> {
  return async (socket) => {
    open += 1
    try {
      const argv = command.split(/\s+/).filter((each) => each !== '')
      const terminal = await docker.openTerminal(Id, argv)
      try {
        await carry(terminal, socket, Id.slice(0, 12))
      } finally {
        await terminal.end()
      }
    } catch (error) {
      socket.close(1011, 'The terminal could not be opened')
      throw error
    } finally {
      open -= 1
    }
  }
}

async function carry(terminal: ContainerTerminal, socket: Socket, id: string): Promise<void> {
  await tell(socket, { type: 'opened', terminal: id, resumed: false })
  const printing = (async () => {
    for await (const chunk of terminal.stream) await socket.send(chunk)
  })()
  const typing = listen(terminal, socket)
  await Promise.race([printing.catch(() => {}), typing, finished(terminal.stream).catch(() => {})])
  const code = await terminal.end()
  await tell(socket, { type: 'exit', code: code ?? 0 }).catch(() => {}) // the reader has left
  socket.close(1000, '')
}

const tell = (socket: Socket, message: FromTerminal) => socket.send(JSON.stringify(message))

async function listen(terminal: ContainerTerminal, socket: Socket): Promise<void> {
  for await (const message of socket.messages) {
    if (typeof message !== 'string') {
      if (!terminal.stream.write(message)) await drained(terminal.stream)
      continue
    }
    const read = readMessage(message)
    if (read === undefined) return socket.close(1008, 'A text message was not understood')
    if (read.type === 'close') return
    await terminal.resize(read).catch(() => {}) // the program has ended
  }
}
