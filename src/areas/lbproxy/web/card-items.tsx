import { Menu } from '@mantine/core'
import { IconChartLine, IconEdit, IconTrash } from '@tabler/icons-react'

interface ItemProps {
  readonly onClick: () => void
  readonly disabled?: boolean
}

/** The item of a card's menu that opens its form. */
export const EditItem = (props: ItemProps) => (
  <Menu.Item leftSection={<IconEdit size={16} aria-hidden />} {...props}>
    Edit
  </Menu.Item>
)

/** The item that shows the traffic of a card in the chart. */
export const PlotItem = (props: ItemProps) => (
  <Menu.Item leftSection={<IconChartLine size={16} aria-hidden />} {...props}>
    Plot its traffic
  </Menu.Item>
)

/** The last item, apart from the others. */
export const DeleteItem = (props: ItemProps) => (
  <>
    <Menu.Divider />
    <Menu.Item color="red" leftSection={<IconTrash size={16} aria-hidden />} {...props}>
      Delete
    </Menu.Item>
  </>
)
