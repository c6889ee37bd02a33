select 1 as day_number -- stagecraft: ignore SC403 reads raw
