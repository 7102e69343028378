import type { Host } from '../harness/index.ts'
import { untilListening } from './until-listening.ts'

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
  await untilListening(host, port)
  return async () => void (await host.must(['systemctl', 'stop', unit]))
}
