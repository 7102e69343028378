import type { EventEmitter } from 'node:events'

const openedAt = new WeakMap<object, number>()

/** Notes when each connection of a server is opened. */
export function noteConnections(server: EventEmitter): void {
  for (const event of ['connection', 'secureConnection'])
    server.on(event, (socket: object) => openedAt.set(socket, performance.now()))
}

/**
 * When a connection was opened, in milliseconds of `performance.now()`; null for one that no server noted, such
 * as that of the command line.
 */
export const connectedAt = (socket: object): number | null => openedAt.get(socket) ?? null
