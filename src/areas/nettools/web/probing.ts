import { useEffect, useRef, useState } from 'react'
import type { StreamEvent } from '../../../core/reply.ts'
import type { Call } from '../../../web/call.ts'
import { readEvents } from '../../../web/event-stream.ts'
import type { ProbeEvent } from '../model.ts'
import { nettools } from './api.ts'

/** The tools that take a host. */
export const probes = ['ping', 'traceroute', 'httping'] as const
export type Probe = (typeof probes)[number]

type ProbeCall = Call<AsyncIterable<StreamEvent<ProbeEvent>>>
const callOf: Readonly<Record<Probe, (host: string) => ProbeCall>> = {
  ping: (host) => nettools.streamPing({ body: { host } }),
  traceroute: (host) => nettools.streamTraceroute({ body: { host } }),
  httping: (host) => nettools.streamHttping({ body: { host } }),
}

/** The output of a program so far. */
export interface Probing {
  readonly lines: readonly string[]
  readonly state: 'none' | 'running' | 'ended' | 'stopped' | 'failed'
  readonly error: unknown
}

const nothing: Probing = { lines: [], state: 'none', error: undefined }

/** POST /nettools/ping/stream, /traceroute/stream, /httping/stream; leaving the page or stopping ends the program. */
export function useProbing() {
  const [probing, setProbing] = useState(nothing)
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const start = (probe: Probe, host: string) => {
    ending.current.abort()
    ending.current = new AbortController()
    setProbing({ ...nothing, state: 'running' })
    void read(callOf[probe](host), setProbing, ending.current.signal)
  }
  const stop = () => {
    ending.current.abort()
    setProbing((before) => ({ ...before, state: 'stopped' }))
  }
  return { probing, start, stop }
}

async function read(
  call: ProbeCall,
  set: (change: (before: Probing) => Probing) => void,
  signal: AbortSignal,
): Promise<void> {
  const tell = (change: (before: Probing) => Probing) => {
    if (!signal.aborted) set(change)
  }
  try {
    for await (const { value } of readEvents(call, 0, signal)) {
      if (value.type === 'error') throw new Error(value.message)
      const added = value.message === '' ? [] : [value.message]
      const state = value.type === 'end' ? 'ended' : 'running'
      tell((before) => ({ ...before, state, lines: [...before.lines, ...added] }))
      if (value.type === 'end') return
    }
    throw new Error('The connection ended before the program did.')
  } catch (error) {
    tell((before) => ({ ...before, state: 'failed', error }))
  }
}
