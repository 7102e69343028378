import { Button, Code, CopyButton, Group } from '@mantine/core'

/** A value with a button that copies it. */
export function Copyable({
  value,
  label,
  onCopy,
}: {
  readonly value: string
  readonly label: string
  readonly onCopy?: () => void
}) {
  return (
    <Group gap="xs" wrap="nowrap" align="center">
      <Code className="anywhere" flex={1} p="xs" aria-label={label} onCopy={onCopy}>
        {value}
      </Code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={() => (copy(), onCopy?.())}>
            {copied ? 'Copied' : 'Copy'}
          </Button>
        )}
      </CopyButton>
    </Group>
  )
}
