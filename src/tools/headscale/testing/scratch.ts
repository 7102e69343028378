import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import { meshPrograms } from '../../../../test/hosts/story/mesh.ts'
import { freePorts } from '../../../../test/support/free-ports.ts'
import { hangMs } from '../../../../test/support/until.ts'
import { poll } from '../../../core/poll.ts'
import { type Host, openHost } from '../../../host/index.ts'
import { type HeadscaleApi, openApi } from '../api.ts'
import { renderConfiguration } from '../configuration.ts'
import { apiPort, configurationPath, dataDirectory, programPath, relayPort } from '../layout.ts'

/** A control server that really runs, over files below a root of its own. */
export interface ScratchHeadscale {
  readonly root: string
  readonly host: Host
  readonly api: HeadscaleApi
  readonly port: number
  /** The folder with the programs that were built for the test hosts. */
  readonly programs: string
  stop(): Promise<void>
}

/** Starts a control server with the configuration of the panel; undefined where its program was not built. */
export async function startHeadscale(): Promise<ScratchHeadscale | undefined> {
  const programs = await meshPrograms().catch(() => undefined)
  if (programs === undefined) return undefined
  const root = mkdtempSync(`${tmpdir()}/hostreeve-mesh-`)
  const [port = 0, ...others] = await freePorts(4)
  for (const path of [configurationPath, programPath, `${dataDirectory}/x`, '/root/x'])
    mkdirSync(dirname(root + path), { recursive: true })
  writeFileSync(root + configurationPath, configurationAt(root, [port, ...others]))
  copyFileSync(`${programs}/headscale`, root + programPath)
  const server = spawn(root + programPath, ['-c', root + configurationPath, 'serve'], { stdio: 'ignore' })
  const host = openHost({ root })
  const api = openApi(host, port)
  const isUp = async () => (await api.isWell()) || undefined
  assert.ok(await poll(isUp, { limitMs: hangMs, everyMs: 50 }), 'headscale starts')
  const stop = async () => {
    server.kill()
    await once(server, 'exit')
    await host.close()
    rmSync(root, { recursive: true })
  }
  return { root, host, api, port, programs, stop }
}

/** The configuration that the panel renders, with its files below a root and other ports. */
function configurationAt(root: string, ports: readonly number[]): string {
  const rendered = renderConfiguration({
    ...{ domain: 'vpn.example.com', baseDomain: 'mesh.internal', subnet: '100.64.0.0/10' },
    ...{ magicDns: true, nameservers: ['9.9.9.9'] },
  })
  return [apiPort, 50_444, 50_443, relayPort].reduce(
    (text, port, index) => text.replace(`:${port}`, `:${ports[index]}`),
    rendered.replaceAll(dataDirectory, root + dataDirectory),
  )
}
