import { Button, Code, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { copyText } from './copy-text.ts'

interface CopyableProps {
  readonly value: string
  readonly label: string
  /** Focuses the button as its dialog opens. */
  readonly hasFocus?: boolean
  /** Called once the value is copied, by the button or by hand. */
  readonly onCopy?: () => void
}

/** A value with a button that copies it. */
export function Copyable({ value, label, hasFocus, onCopy }: CopyableProps) {
  const [isCopied, setCopied] = useState<boolean>()
  const copy = async () => {
    const isDone = await copyText(value)
    setCopied(isDone)
    if (isDone) onCopy?.()
  }
  return (
    <Stack gap={4} flex={1}>
      <Group gap="xs" wrap="nowrap" align="center">
        <Code
          className="anywhere"
          flex={1}
          p="xs"
          aria-label={label}
          onCopy={onCopy}
          block={value.includes('\n')}
        >
          {value}
        </Code>
        <Button
          size="xs"
          variant="default"
          data-autofocus={hasFocus || undefined}
          onClick={() => void copy()}
        >
          {isCopied ? 'Copied' : 'Copy'}
        </Button>
      </Group>
      {isCopied === false && (
        <Text size="xs" c="dimmed" role="status">
          The browser did not allow it. Select the text and copy it.
        </Text>
      )}
    </Stack>
  )
}
