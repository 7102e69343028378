import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { shortcutKeys } from './shortcuts.ts'

/** The keyboard shortcuts of the panel in a dialog. */
export function ShortcutList({ onClose }: { readonly onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="sm">
        {shortcutKeys.map(({ keys, does }) => (
          <Group key={does} gap="md" wrap="nowrap">
            <Group gap={4} wrap="nowrap" w={84} flex="none">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
            <Text size="sm">{does}</Text>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}
