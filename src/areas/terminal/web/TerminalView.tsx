import { Button, Group, Text, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { notify } from '../../../web/kit/notices.tsx'
import { useHeightBelow } from '../../../web/kit/use-height-below.ts'
import { Connection, type State } from './connection.ts'
import { openScreen, type Screen } from './screen.ts'
import type { Tab } from './tabs.ts'
import classes from './Terminal.module.css'

interface TerminalViewProps {
  readonly tab: Tab
  readonly isShown: boolean
  readonly onOpened: (terminal: string) => void
  readonly onClose: () => void
}

const texts = {
  connecting: 'Connecting …',
  connected: 'Connected.',
  lost: 'The connection was lost: connecting again …',
}

/** One terminal with its tools; the page loads it. */
export function TerminalView({ tab, isShown, onOpened, onClose }: TerminalViewProps) {
  const box = useRef<HTMLDivElement>(null)
  const closing = useRef<HTMLButtonElement>(null)
  const screen = useRef<Screen>(undefined)
  const connection = useRef<Connection>(undefined)
  const [state, setState] = useState<State>({ is: 'connecting' })
  useHeightBelow(box, isShown)
  const open = useEffectEvent(() => {
    const opened = openScreen(box.current as HTMLElement, {
      label: `Terminal ${tab.label}`,
      onTyped: (text) => connection.current?.type(text),
      onResized: (cols, rows) => connection.current?.resize(cols, rows),
      onLeave: () => closing.current?.focus(),
    })
    const connected = new Connection({
      ...tab,
      resume: tab.terminal,
      onState: setState,
      onOutput: opened.write,
      onOpened: (id) => {
        opened.clear()
        onOpened(id)
      },
    })
    return { opened, connected }
  })
  useEffect(() => {
    const { opened, connected } = open()
    screen.current = opened
    connection.current = connected
    return () => {
      connected.leave()
      opened.close()
    }
  }, [])
  useEffect(() => {
    if (isShown && state.is === 'connected') screen.current?.focus()
  }, [isShown, state.is])
  const close = () => {
    connection.current?.end()
    onClose()
  }
  return (
    <>
      <Group justify="space-between" gap="xs" my="xs">
        <Text size="sm" role="status" c={state.is === 'ended' ? undefined : 'dimmed'}>
          {state.is === 'ended' ? state.reason : texts[state.is]} F6 leaves the terminal.
        </Text>
        <Group gap="xs">
          <Find screen={screen} />
          <Button size="xs" variant="default" onClick={() => void copy(screen.current)}>
            Copy
          </Button>
          <Button size="xs" variant="default" onClick={() => void paste(screen.current)}>
            Paste
          </Button>
          <Button ref={closing} size="xs" variant="default" onClick={close}>
            Close
          </Button>
        </Group>
      </Group>
      <div ref={box} className={classes.screen} />
    </>
  )
}

interface FindProps {
  readonly screen: { readonly current: Screen | undefined }
}

function Find({ screen }: FindProps) {
  const [text, setText] = useState('')
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || text === '') return
    if (!screen.current?.find(text, event.shiftKey)) notify(`"${text}" is not in the terminal.`, true)
  }
  return (
    <TextInput
      size="xs"
      aria-label="Find in the terminal"
      placeholder="Find"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  )
}

async function copy(screen: Screen | undefined): Promise<void> {
  const text = screen?.selection() ?? ''
  if (text === '') return notify('Select text in the terminal first.', true)
  await navigator.clipboard.writeText(text).then(
    () => notify('The selection was copied.'),
    () => notify('The browser does not allow copying here: press Ctrl+Insert.', true),
  )
}

async function paste(screen: Screen | undefined): Promise<void> {
  await navigator.clipboard.readText().then(
    (text) => {
      screen?.paste(text)
      screen?.focus()
    },
    () => notify('The browser does not allow pasting here: press Ctrl+V in the terminal.', true),
  )
}
