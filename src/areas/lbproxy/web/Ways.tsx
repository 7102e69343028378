import { type RefObject, useEffect, useState } from 'react'
import type { Way } from './flow.ts'
import { keyOf, type Snapshot } from './traffic.ts'
import classes from './Picture.module.css'

interface WaysProps {
  readonly frame: RefObject<HTMLDivElement | null>
  readonly ways: readonly Way[]
  readonly traffic: Snapshot | undefined
  /** The frontend or backend under the pointer: `frontend web`. */
  readonly chosen: string | undefined
}

interface Place {
  readonly left: number
  readonly right: number
  readonly middle: number
}

type Places = ReadonlyMap<string, Place>

const mostDrawn = 300
const headPx = 26

/**
 * The lines from frontends to backends, hidden from assistive technology because each frontend lists its
 * backends as text.
 */
export function Ways({ frame, ways, traffic, chosen }: WaysProps) {
  const places = usePlaces(frame)
  const drawn = ways.slice(0, mostDrawn).flatMap((way) => {
    const [from, to] = [places.get(`frontend ${way.frontend}`), places.get(`backend ${way.backend}`)]
    return from && to ? [{ way, path: curve(from, to) }] : []
  })
  return (
    <svg className={classes.ways} aria-hidden>
      {drawn.map(({ way, path }) => {
        const rate = traffic?.rows.get(keyOf('backend', way.backend))?.now.requests ?? 0
        const isFaded =
          chosen !== undefined && chosen !== `frontend ${way.frontend}` && chosen !== `backend ${way.backend}`
        const isLive = rate > 0 && (traffic?.rows.get(keyOf('frontend', way.frontend))?.now.requests ?? 0) > 0
        return (
          <g key={`${way.frontend} ${way.backend} ${way.condition}`}>
            <path
              className={classes.way}
              d={path}
              strokeWidth={1.5 + Math.min(3.5, Math.log10(1 + rate))}
              data-rule={way.condition !== undefined}
              data-live={isLive}
              data-faded={isFaded}
            />
            {isLive && !isFaded && <path className={classes.pulse} d={path} />}
          </g>
        )
      })}
    </svg>
  )
}

function curve(from: Place, to: Place): string {
  const bend = (to.left - from.right) / 2
  return `M${from.right},${from.middle} C${from.right + bend},${from.middle} ${to.left - bend},${to.middle} ${to.left},${to.middle}`
}

/** The positions of the cards, measured again whenever one moves or changes size. */
function usePlaces(frame: RefObject<HTMLDivElement | null>): Places {
  const [places, setPlaces] = useState<Places>(new Map())
  useEffect(() => {
    const box = frame.current
    if (box === null) return
    const measure = () => setPlaces((before) => keepSame(before, placesIn(box)))
    const sizes = new ResizeObserver(measure)
    const watch = () => {
      sizes.disconnect()
      sizes.observe(box)
      for (const card of box.querySelectorAll('[data-place]')) sizes.observe(card)
      measure()
    }
    let pending = 0
    const cards = new MutationObserver(() => {
      cancelAnimationFrame(pending)
      pending = requestAnimationFrame(watch)
    })
    cards.observe(box, { childList: true, subtree: true })
    watch()
    return () => {
      sizes.disconnect()
      cards.disconnect()
      cancelAnimationFrame(pending)
    }
  }, [frame])
  return places
}

function placesIn(box: HTMLElement): Places {
  const origin = box.getBoundingClientRect()
  return new Map(
    [...box.querySelectorAll<HTMLElement>('[data-place]')].map((card) => {
      const { left, right, top } = card.getBoundingClientRect()
      return [
        card.dataset['place'] ?? '',
        { left: left - origin.left, right: right - origin.left, middle: top - origin.top + headPx },
      ]
    }),
  )
}

function keepSame(before: Places, now: Places): Places {
  const isSame =
    before.size === now.size &&
    [...now].every(([key, place]) => {
      const known = before.get(key)
      return known?.left === place.left && known.right === place.right && known.middle === place.middle
    })
  return isSame ? before : now
}
