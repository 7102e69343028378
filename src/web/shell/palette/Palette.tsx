import { Modal, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { Choices, choiceId, choicesId } from './Choices.tsx'
import type { PaletteEntry } from './rank.ts'
import { usePaletteGroups } from './sources.ts'

const settledMs = 150
const label = 'Search pages, websites, users and actions'

/** The command palette: opens pages, objects and the dialogs of actions by their name. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const [text, setText] = useState('')
  const [settled] = useDebouncedValue(text, settledMs)
  const { groups, isPending } = usePaletteGroups(settled)
  const entries = groups.flatMap((group) => group.entries)
  const { active, setActive, press } = useActive(entries)
  const navigate = useNavigate()
  const open = ({ to, search = {} }: PaletteEntry) => {
    onClose()
    void navigate({ to: to as never, search: search as never })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && !event.nativeEvent.isComposing
    if (isEnter && active && text === settled) open(active)
    else if (!press(event.key)) return
    event.preventDefault()
  }
  const isSettled = !isPending && text === settled
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding="sm"
      size="lg"
      yOffset="10dvh"
      attributes={{ content: { 'aria-label': 'Command palette' } }}
    >
      <TextInput
        data-autofocus
        size="md"
        role="combobox"
        aria-label={label}
        aria-expanded={entries.length > 0}
        aria-controls={choicesId}
        aria-autocomplete="list"
        aria-activedescendant={active && choiceId(active)}
        autoComplete="off"
        placeholder={label}
        leftSection={<IconSearch size={18} aria-hidden />}
        maxLength={100}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          setActive(undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <Choices groups={groups} active={active} onActive={setActive} onOpen={open} />
      <Text size="sm" c="dimmed" role="status" mt="xs" px="xs">
        {isSettled ? countOf(entries.length) : 'Searching …'}
      </Text>
    </Modal>
  )
}

const countOf = (count: number): string =>
  count === 0 ? 'Nothing found' : count === 1 ? '1 result' : `${count} results`

/** The entry that Enter opens: the first until the reader moves; `press` returns true if a key moved it. */
function useActive(entries: readonly PaletteEntry[]) {
  const [moved, setMoved] = useState<PaletteEntry>()
  const index = Math.max(
    0,
    entries.findIndex(({ key }) => key === moved?.key),
  )
  const press = (key: string): boolean => {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    if (step === 0 || entries.length === 0) return false
    setMoved(entries[(index + step + entries.length) % entries.length])
    return true
  }
  return { active: entries[index], setActive: setMoved, press }
}
