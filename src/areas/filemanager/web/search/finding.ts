import { useEffect, useRef, useState } from 'react'
import type { Static } from 'typebox'
import type { StreamEvent } from '../../../../core/reply.ts'
import type { Call } from '../../../../web/call.ts'
import { readEvents } from '../../../../web/event-stream.ts'
import type { SearchEvent } from '../../model.ts'
import { filemanager } from '../api.ts'
import { pathFrom, wirePath } from '../names.ts'
import type { Found, Whose } from '../queries.ts'
import { type AskedSearch, queryOf } from './asked.ts'

/** The progress of a search. */
export interface Finding {
  readonly items: readonly Found[]
  readonly state: 'none' | 'searching' | 'ended' | 'stopped' | 'failed'
  /** There are more results than requested. */
  readonly isCut: boolean
  readonly error: unknown
}

/** The maximum number of results that the panel returns. */
export const mostFound = 1000

const nothing: Finding = { items: [], state: 'none', isCut: false, error: undefined }
const eachMs = 80

/**
 * GET /filemanager/search/stream: streams results; leaving the page, stopping or searching again aborts it.
 */
export function useFinding(whose: Whose, folder: string, asked: AskedSearch) {
  const [finding, setFinding] = useState(nothing)
  const [round, setRound] = useState(0)
  const ending = useRef(new AbortController())
  useEffect(() => {
    setFinding(asked.text === '' ? nothing : { ...nothing, state: 'searching' })
    if (asked.text === '') return
    ending.current = new AbortController()
    const { signal } = ending.current
    void find(callOf(whose, asked.isHere ? folder : '', asked), setFinding, signal)
    return () => ending.current.abort()
  }, [whose, folder, asked, round])
  const stop = () => {
    ending.current.abort()
    setFinding((before) => (before.state === 'searching' ? { ...before, state: 'stopped' } : before))
  }
  return { finding, stop, again: () => setRound(round + 1) }
}

async function find(call: SearchCall, set: (finding: Finding) => void, signal: AbortSignal): Promise<void> {
  const items: Found[] = []
  let toldAt = 0
  const tell = (change: Partial<Finding>) => {
    toldAt = performance.now()
    if (!signal.aborted) set({ ...nothing, items: [...items], state: 'searching', ...change })
  }
  try {
    for await (const { value } of readEvents(call, 0, signal)) {
      if (value.type === 'error') throw new Error(value.message)
      if (value.type === 'end') return tell({ state: 'ended', isCut: value.is_cut })
      items.push({ ...value.match, path: pathFrom(value.match.path, value.match.path_b64) })
      if (performance.now() - toldAt > eachMs) tell({})
    }
    throw new Error('The connection ended before the search did.')
  } catch (error) {
    tell({ state: 'failed', error })
  }
}

/** A broken stream ends with its error. */
interface Broken {
  readonly type: 'error'
  readonly message: string
}

type SearchCall = Call<AsyncIterable<StreamEvent<Static<typeof SearchEvent> | Broken>>>

function callOf(whose: Whose, folder: string, asked: AskedSearch): SearchCall {
  return filemanager.streamSearch({
    query: { ...whose, ...wirePath(folder), ...queryOf(asked), limit: mostFound },
  })
}
