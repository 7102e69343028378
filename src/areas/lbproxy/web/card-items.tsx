import { Menu } from '@mantine/core'
import { IconChartLine, IconEdit, IconTrash } from '@tabler/icons-react'

interface ItemProps {
  readonly onClick: () => void
  readonly disabled?: boolean
}

/** The menu item that opens the form of a card. */
export const EditItem = (props: ItemProps) => (
  <Menu.Item leftSection={<IconEdit size={16} aria-hidden />} {...props}>
    Edit
  </Menu.Item>
)

/** The menu item that shows the traffic of a card in the chart. */
export const PlotItem = (props: ItemProps) => (
  <Menu.Item leftSection={<IconChartLine size={16} aria-hidden />} {...props}>
    Plot its traffic
  </Menu.Item>
)

/** The delete item, separated at the end of the menu. */
export const DeleteItem = (props: ItemProps) => (
  <>
    <Menu.Divider />
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} {...props}>
      Delete
    </Menu.Item>
  </>
)
