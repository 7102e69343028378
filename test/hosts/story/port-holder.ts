import { type Host, poll } from '../harness/index.ts'

const unit = 'holder'

/** Makes another program of the host listen on a port; returns a function that stops it. Needs systemd. */
export async function holdPort(host: Host, port: number, address: string): Promise<() => Promise<void>> {
  const program = `require('net').createServer().listen(${port}, '${address}')`
  await host.must([
    'systemd-run',
    '--quiet',
    `--unit=${unit}`,
    '/opt/hostreeve/node_modules/.bin/node',
    '-e',
    program,
  ])
  await poll('the other program to listen', 5_000, () =>
    host.connect(port).then(
      (socket) => Boolean(socket.destroy()),
      () => undefined,
    ),
  )
  return async () => void (await host.must(['systemctl', 'stop', unit]))
}
