import { useEffect, useRef, useState } from 'react'
import { run } from '../../client.ts'
import type { BulkTarget } from './bulk-action.ts'
import { type RowState, runEach } from './run-each.ts'

/** Carries out an action on rows, one after the other, and keeps the state of each. */
export function useBulkRun(onDone: () => Promise<void>) {
  const [states, setStates] = useState<ReadonlyMap<BulkTarget, RowState>>(new Map())
  const [phase, setPhase] = useState<'asking' | 'running' | 'over'>('asking')
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const start = async (rows: readonly BulkTarget[]) => {
    ending.current = new AbortController()
    setPhase('running')
    const tell = (row: BulkTarget, state: RowState) => setStates((known) => new Map(known).set(row, state))
    await runEach(rows, (row) => run(row.call), tell, ending.current.signal)
    setPhase('over')
    await onDone()
  }
  const all = [...states]
  return {
    stateOf: (row: BulkTarget): RowState => states.get(row) ?? 'waiting',
    isRunning: phase === 'running',
    hasRun: phase === 'over',
    done: all.filter(([, state]) => state === 'done').length,
    failed: all.filter(([, state]) => typeof state === 'object').map(([row]) => row),
    start: (rows: readonly BulkTarget[]) => void start(rows),
    stop: () => ending.current.abort(),
  }
}
