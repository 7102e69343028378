import type { Lbproxy } from './context.ts'

/** Restores the states of servers whenever the processes of HAProxy change, until it is stopped. */
export const watchStates = ({ haproxy, reconcileServerStates, log }: Lbproxy) =>
  haproxy.watch({
    onChange: reconcileServerStates,
    onError: (error) => log.error({ err: error }, 'cannot watch the processes of HAProxy'),
  })
