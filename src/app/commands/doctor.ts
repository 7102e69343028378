import type { Call } from './command.ts'
import type { Config } from '../config.ts'
import { openHost } from '../../host/index.ts'
import { openTools } from '../../tools/open-tools.ts'
import { openLog } from '../log.ts'
import { request } from './request.ts'

interface Finding {
  readonly what: string
  readonly ok: boolean
  readonly detail: string
}

/** Reports what works on this host, and what is missing with the reason. */
export async function doctor({ isJson }: Call, config: Config): Promise<number> {
  const host = openHost({ log: openLog('error') })
  const programs = await Promise.all(openTools(host).programs.map((program) => program.detect()))
  const panel = await request(config, 'GET', '/readyz')
  await host.close()
  const findings: Finding[] = [
    {
      what: 'panel',
      ok: panel?.status === 200,
      detail: panel ? 'answers' : `does not run on ${config.data_dir}`,
    },
    {
      what: 'root',
      ok: process.getuid?.() === 0,
      detail:
        process.getuid?.() === 0 ? 'yes' : 'no: accounts, services and files of other users are out of reach',
    },
    ...programs.map(({ program, healthy, version, reason }) => ({
      what: program,
      ok: healthy,
      detail: reason ?? version ?? 'ok',
    })),
  ]
  if (isJson) process.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else
    for (const { what, ok, detail } of findings)
      process.stdout.write(`${ok ? 'ok     ' : 'missing'} ${what.padEnd(16)} ${detail}\n`)
  return findings.every(({ ok }) => ok) ? 0 : 1
}
