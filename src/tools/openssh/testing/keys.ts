/** Public keys as ssh-keygen makes them, and what `ssh-keygen -l` prints of them; their private halves were thrown away. */
export const madeKeys = {
  ed25519: {
    line: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAID44EPnTD1BzRTDanPQ7x1MJzBm4HJ9kqvVEqdWw48Os ada@laptop',
    bits: 256,
    fingerprint: 'SHA256:13bcoy9YtNj161ViCTv1f7gREG9VdSlySexlGQF5XRY',
  },
  ecdsa256: {
    line: 'ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlzdHAyNTYAAABBBDoLTBizYA4yqkozaP2PRHYFmWhTcVGervIn/DAp3/IRO99wtKgaMtdVym46DWqg8TgB2oMeV9HtCqyS5wx9LyA= ec',
    bits: 256,
    fingerprint: 'SHA256:UEHycZbfWycR8kbRh5sGNoH0b++7xUNMEy4Nl2SwZgg',
  },
  ecdsa521: {
    line: 'ecdsa-sha2-nistp521 AAAAE2VjZHNhLXNoYTItbmlzdHA1MjEAAAAIbmlzdHA1MjEAAACFBABhxOSiN7af1wpCCUq73rIQhDvRteuwBXAcFf7VbSuL698NZluDMsN3SY8eIeA/MofI8pRnAk+1Kwy6gWX672x2zwEnC29LWXuJn8oglrscVBrNy0zPsoyt9zW/8d8QNeijQs7pUSs66jYHKhY5yRIvkS1zE6Pw7o/dq0599LX7cc2IGA== ec5',
    bits: 521,
    fingerprint: 'SHA256:R9zzTnoVr4SV3oeHjjU2Pz3nkXSRMd8kQJe9z0Acx18',
  },
  rsa2048: {
    line: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC5dPDUxg/eDReSQHcbb8Q06pB31LiOfB6HlBQrnWdwkjc2sepzKMB6gPb5U2PjkQCOBZbzu/fovqB2KGs9IdZ4T+43AZYBLYKbxHNcFNJBc89L9Pof8w8SmDYvf9hTnysdJoeS04D2qrBldbpTRg/n9lfyJ2mcvhQkOpt16oKNGZ0WFUdigRyGbMuC1y8k5adPo/keMYZaEbsDQ3SjaTyRIspC9gTEnAuvWUMDgsBEupfWhmTEC7dEmb207nTNDYN0cmvoP/7Oklgc2GyOn+XVx3Pt8YVhmSw1z/O22f2hJ9UTrt9kSmmpAzMWor1ZMhVepYNaq5HBid84b37Fo2bd rsa2048',
    bits: 2048,
    fingerprint: 'SHA256:D4/TxUdkeI2xD4ScVrulCBxYU33hwb2neSOa4+Ujhtw',
  },
  rsa3072: {
    line: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDoaA0petA+rXu37L4KcedhUOUcwhZ1ckvpGnkY68r5Egy4XaFy03QpWqUwoVRQGR4vHeMa9VQfCMizLBFTrlkTQbOy0T0eGIkEmqhO1oCbXAiWAf0s6vIEA4uBNPwDn6mpaR6J7FEJEdpG9+s7ZvD0JKbFvX4XF4wr16L2oSfbNX8ZWJBOGjOjfJhtAii2XAjGMVVWLePuu7PUCRo7O4QETY4TpAtInbxq1S9axxZZq1KOndULzqSWJf7qMLGxqzKUzV+cIu1CGFw2hC4r7l0MZAmkg8U7reMFDHajkY7vDEFcic2nezMqb8DjjQJIBff6agNLBChTT7lQq0f+BK7jalrH19m52b1MhSK+h8RIQ7P2YN1dhNQJ2Ss+n0d9DPaFzB2xicsz4+jek6BlC1rYDNZ5CroQa2LzIkTb3R3BT7sYTKOzmBcH7VQheYY/GzE1eU0yzqEFHKO0zcyUK4z2qAHD9K+Sa4muKr0Nn3BeQfdIUBN0/P9J55nsUvI59b0= rsa3072',
    bits: 3072,
    fingerprint: 'SHA256:OyWeRfVXfMiAt+/kHCJIEb2h+P/KqnoHdzkKzKr7wDw',
  },
  rsa1024: {
    line: 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDG0zO+HqmZ2PnVXVa4o9rQRkzb/h59GRK41zwVxaDOV7Hn/jUair3sX0Eha4I6q45V/iN3SyCAkC+K7KcMhq/+8ZtO2VEeatl/+UPhpCw0mAtWu1GcykUUhv5kKjb06FCIfde0D7j+gmnfLnCamaILdaMlugCQNSiDv2sESWBtSw== weak',
    bits: 1024,
    fingerprint: 'SHA256:1hqG5+1jNTPdxG59kUwBXF0PGyRPE7kuJHTU4ojQUPY',
  },
  dsa: {
    line: 'ssh-dss AAAAB3NzaC1kc3MAAACBAJL29fZWzWR3y56xZUVLuD+qRi3oe2S4HnhYTQjwF5Bd2QB5BvzSEpP4m53OLFTPL8BXjEtKrGDQmKPOTltgTc5pDEbVM4tKTHXb7FlTqXCWIVpzC+j7lCAvR8IR7M0WzU68+ONqiscKfdirBj6t867/nIFAunu2g7Ye1vh6Jn2DAAAAFQDiV6cGBtYvT6M1ed0WgIqnUf1xfQAAAIANPyOjxERsNEUnH5nj7hy4MvNY4GN2gD0fJUyqEMv7J10SRCJPGdaKab+AKl0IN+ZyUhd3euMKw5C5ZZ+Ga4eChPtwOtJNgF01TPUVrOjgYXf1Ip4tNkzuAQTpI9NC6M365Ni6snlA/rP9jbFpIC1BWFiGEr/AhiOD8QSd/MIZwgAAAIBdcHqseB9EhUov7W/Jf5mNfFbg0rKuFaAplgAYPGffx/7aAoD3qJuS0BOTOPlKzFb+8e/57droCC3MQHgZ/+qEtFZb5mJtrYhZEve9Id2Um5ocsdw80zP1wayUv8CZQxBC01qU301nAmDcEIyBewKRmtinMC0oBNr1h4EAo6S0Ow== old',
    bits: 1024,
    fingerprint: 'SHA256:VTdKIbRIyDc7q/kcMGbScgEDAUYJokRdruw7O9NmwRg',
  },
} as const
