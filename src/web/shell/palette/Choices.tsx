import { Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { PaletteEntry } from './rank.ts'
import type { PaletteGroup } from './sources.ts'
import classes from './Choices.module.css'

export const choicesId = 'palette-choices'

/** The element of an entry. */
export const choiceId = ({ key }: PaletteEntry): string => `palette-choice${key.replaceAll(/\W+/g, '-')}`

interface ChoicesProps {
  readonly groups: readonly PaletteGroup[]
  readonly active: PaletteEntry | undefined
  readonly onActive: (entry: PaletteEntry) => void
  readonly onOpen: (entry: PaletteEntry) => void
}

/** The results of the command palette as a list box; the focus stays in its field. */
export function Choices({ groups, active, onActive, onOpen }: ChoicesProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [active?.key])
  return (
    <div ref={list} id={choicesId} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ label, entries }) => (
        <div key={label} role="group" aria-label={label}>
          <div aria-hidden className={classes.group}>
            {label}
          </div>
          {entries.map((entry) => (
            <button
              key={entry.key}
              type="button"
              id={choiceId(entry)}
              role="option"
              tabIndex={-1}
              aria-selected={entry.key === active?.key}
              className={classes.entry}
              onMouseMove={() => onActive(entry)}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => onOpen(entry)}
            >
              <span className="anywhere">{entry.title}</span>
              {entry.note && (
                <Text span size="xs" c="dimmed" flex="none" maw="50%" truncate>
                  {entry.note}
                </Text>
              )}
            </button>
          ))}
        </div>
      ))}
    </div>
  )
}
