import type { Run } from '../../host/run.ts'
import type { Services } from '../../host/services.ts'

/** Starts, stops and (without a master) reloads HAProxy, and reads its error messages. */
export interface HaproxyStarter {
  start(): Promise<void>
  stop(): Promise<void>
  /** Reloads through the init script, whose error output it throws. */
  reload(): Promise<void>
  /** HAProxy's output since this time, in milliseconds since 1970; undefined if it is not recorded. */
  errorsSince(since: number): Promise<string | undefined>
}

/**
 * Starts, stops and reloads HAProxy through the host's services, and reads its output from systemd's journal
 * if available.
 */
export function startWith(services: Services, run: Run, service: string): HaproxyStarter {
  return {
    start: () => services.act(service, 'start'),
    stop: () => services.act(service, 'stop'),
    reload: () => services.act(service, 'reload'),
    errorsSince: async (since) => {
      if ((await services.detect()).kind !== 'systemd') return undefined
      const { code, stdout } = await run(
        [
          'journalctl',
          '--unit',
          service,
          '--since',
          `@${(since / 1000).toFixed(3)}`,
          '--output',
          'cat',
          '--no-pager',
        ],
        { timeoutMs: 5000, maxBytes: 256 * 1024 },
      )
      return code === 0 ? alertsOf(stdout) : undefined
    },
  }
}

/** Returns the lines in which HAProxy reports fatal errors. */
export function alertsOf(log: string): string {
  return log
    .split('\n')
    .flatMap((line) => /\[ALERT\]\s+\(\d+\) : (.*)$/.exec(line)?.[1] ?? [])
    .filter((message) => !message.endsWith(' has no server available!'))
    .slice(-20)
    .join('\n')
}
