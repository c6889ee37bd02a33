select 1 as id -- stagecraft: ignore SC404 constants
