import { Button, Group, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { urlOf } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { useHeightBelow } from '../../../web/kit/use-height-below.ts'
import { textOf } from '../../../web/wire.ts'
import { auth } from '../../auth/web/api.ts'
import { openScreen } from '../../terminal/web/screen.ts'
import classes from '../../terminal/web/Terminal.module.css'
import { ai } from './api.ts'

/** The text console of the assistant; the page loads it. It ends when it is left. */
export function TextConsole() {
  const box = useRef<HTMLDivElement>(null)
  const leaving = useRef<HTMLButtonElement>(null)
  const [state, setState] = useState('Connecting …')
  const [round, setRound] = useState(0)
  useHeightBelow(box, true)
  const open = useEffectEvent(() => {
    const session: { socket?: WebSocket; size?: string; isLeft: boolean } = { isLeft: false }
    const send = (content: string | Uint8Array<ArrayBuffer>) => {
      if (session.socket?.readyState === WebSocket.OPEN) session.socket.send(content)
    }
    const screen = openScreen(box.current as HTMLElement, {
      label: 'Text console of the assistant',
      onTyped: (text) => send(new TextEncoder().encode(text)),
      onResized: (cols, rows) => {
        session.size = JSON.stringify({ type: 'resize', cols, rows })
        send(session.size)
      },
      onLeave: () => leaving.current?.focus(),
    })
    const connect = async () => {
      const { token } = await run(auth.createSocketToken({ body: { purpose: 'ai-tui' } }))
      if (session.isLeft) return
      const path = urlOf(ai.openTextConsole({ query: { token } }))
      const socket = new WebSocket(new URL(path, location.href.replace(/^http/, 'ws')))
      session.socket = socket
      socket.binaryType = 'arraybuffer'
      socket.addEventListener('message', ({ data }: MessageEvent<ArrayBuffer | string>) => {
        if (typeof data !== 'string') return screen.write(new Uint8Array(data))
        setState('Connected.')
        if (session.size !== undefined) socket.send(session.size)
        screen.focus()
      })
      socket.addEventListener('close', ({ reason }) => setState(reason || 'The console has ended.'))
    }
    connect().catch((error: unknown) => setState(textOf(error)))
    return () => {
      session.isLeft = true
      session.socket?.close()
      screen.close()
    }
  })
  useEffect(() => open(), [round])
  return (
    <>
      <Group justify="space-between" gap="xs" my="xs">
        <Text size="sm" role="status">
          {state} F6 leaves the console.
        </Text>
        <Button ref={leaving} size="xs" variant="default" onClick={() => setRound(round + 1)}>
          Open a new one
        </Button>
      </Group>
      <div ref={box} className={classes['screen']} />
    </>
  )
}
