import { hangMs } from '../../support/until.ts'
import { type Host, poll } from '../harness/index.ts'

/** Waits until a program of a host listens on a TCP port: systemd-run returns when it has started it. */
export const untilListening = (host: Host, port: number, address = '127.0.0.1') =>
  poll(`a program to listen on ${address}:${port}`, hangMs, () =>
    host.connect(port, address).then(
      (socket) => Boolean(socket.destroy()),
      () => undefined,
    ),
  )
