import { TextInput, Tooltip } from '@mantine/core'
import { type KeyboardEvent, useRef, useState } from 'react'
import { textOf } from '../../../../web/wire.ts'
import { useFocusOnce } from '../focus.ts'
import { nameEdited, shown } from '../names.ts'
import { splitName } from '../paths.ts'

interface RenameFieldProps {
  readonly name: string
  /**
   * Receives the new name, or undefined if it stays; a rejected name leaves the field open with the error.
   */
  readonly onEnd: (name: string | undefined) => Promise<void>
}

const mostCharacters = 255
const escapesStay =
  'No field can hold some characters of this name. What stands for them, as \\n or \\xE9, stays as it is where you leave it.'

/** A field that edits a name in place: Enter or blur saves it, Escape discards it. */
export function RenameField({ name, onEnd }: RenameFieldProps) {
  const label = shown(name)
  const field = useFocusOnce<HTMLInputElement>()
  const { end, failure } = useNewName(name, onEnd)
  const note = failure ?? (label === name ? undefined : escapesStay)
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key === 'Enter') end(event.currentTarget.value, true)
    if (event.key === 'Escape') end(label)
  }
  return (
    <Tooltip
      label={<span role={failure === undefined ? 'note' : 'alert'}>{note}</span>}
      opened={note !== undefined}
      color={failure === undefined ? 'dark.7' : 'red.9'}
      c="white"
      position="bottom-start"
      multiline
      maw={360}
      portalProps={{ target: '#content' }}
    >
      <TextInput
        flex={1}
        size="xs"
        ref={field}
        defaultValue={label}
        maxLength={mostCharacters + label.length - name.length}
        aria-label={`New name of ${label}`}
        error={failure !== undefined}
        spellCheck={false}
        autoCapitalize="off"
        onFocus={({ currentTarget }) =>
          currentTarget.setSelectionRange(0, splitName(currentTarget.value).stem.length)
        }
        onKeyDown={onKeyDown}
        onBlur={({ currentTarget }) => end(currentTarget.value)}
      />
    </Tooltip>
  )
}

/** Submits a name once; a rejected name is submitted again only on explicit request. */
function useNewName(name: string, onEnd: RenameFieldProps['onEnd']) {
  const [failure, setFailure] = useState<string>()
  const isTrying = useRef(false)
  const refused = useRef<string>(undefined)
  const refuse = (name: string, message: string) => {
    refused.current = name
    setFailure(message)
  }
  const end = (text: string, isAsked = false) => {
    if (isTrying.current || (text === refused.current && !isAsked)) return
    const isSame = text === '' || text === shown(name)
    if (!isSame && text.trim() === '') return refuse(text, 'A name must contain more than spaces.')
    isTrying.current = true
    onEnd(isSame ? undefined : nameEdited(name, text)).catch((error: unknown) => {
      isTrying.current = false
      refuse(text, textOf(error))
    })
  }
  return { end, failure }
}
