import { Anchor, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

interface CodeFieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
  /** Recovery codes are accepted as well. */
  readonly hasRecovery?: boolean
}

/** Asks for a code of the authenticator app, or for a recovery code in its place. */
export function CodeField({ value, onChange, hasRecovery = true }: CodeFieldProps) {
  const [isRecovery, setRecovery] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus(), [isRecovery])
  const change = () => {
    setRecovery(!isRecovery)
    onChange('')
  }
  return (
    <div>
      <TextInput
        ref={input}
        label={isRecovery ? 'Recovery code' : 'Code of your authenticator app'}
        autoComplete="one-time-code"
        inputMode={isRecovery ? 'text' : 'numeric'} // recovery codes have letters
        autoCapitalize="off"
        spellCheck={false}
        minLength={6}
        maxLength={20}
        required
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hasRecovery && (
        <Anchor component="button" type="button" size="sm" mt={6} onClick={change}>
          {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
        </Anchor>
      )}
    </div>
  )
}
