select * from raw.orders -- stagecraft: ignore SC402 a share that has no source
