select * from {{{ ref('orders') }}}
