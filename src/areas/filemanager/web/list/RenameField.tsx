import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useRef } from 'react'
import { useFocusOnce } from '../focus.ts'
import { splitName } from '../paths.ts'

interface RenameFieldProps {
  /** The name as people read it: some of its bytes no field can hold. */
  readonly label: string
  /** The new name, or nothing where it stays. */
  readonly onEnd: (name: string | undefined) => void
}

/** A name that is being changed where it stands: Enter or leaving keeps it, Escape does not. */
export function RenameField({ label, onEnd }: RenameFieldProps) {
  const isOver = useRef(false)
  const field = useFocusOnce<HTMLInputElement>()
  const end = (text: string | undefined) => {
    if (isOver.current) return
    isOver.current = true
    onEnd(text === undefined || text === '' || text === label ? undefined : text)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    event.stopPropagation()
    if (event.key === 'Enter') end(event.currentTarget.value)
    if (event.key === 'Escape') end(undefined)
  }
  return (
    <TextInput
      flex={1}
      size="xs"
      ref={field}
      defaultValue={label}
      maxLength={255}
      aria-label={`New name of ${label}`}
      spellCheck={false}
      autoCapitalize="off"
      onFocus={({ currentTarget }) => currentTarget.setSelectionRange(0, splitName(label).stem.length)}
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget }) => end(currentTarget.value)}
    />
  )
}
